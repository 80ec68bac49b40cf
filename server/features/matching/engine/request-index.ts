import { inTraffic } from '#roads/graph/traffic.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import type { Pair } from '../rules/explain.ts';
import { bestInsertion, type Choice, type Drives } from '../rules/insertion.ts';
import { nearDetourMs, nearMs } from '../rules/near-miss.ts';
import { planFrom, wishFrom } from '../rules/from-now.ts';
import { boardingMs, type Plan } from '../rules/plan.ts';
import { differsInQuiet, suits } from '../rules/preferences.ts';
import { shareCents, withinOffer } from '../rules/price.ts';
import { roadScore } from '../rules/ranking.ts';
import { spotsWithin, walkMsOf, type Spot, type Wish } from '../rules/wish.ts';
import { Best } from './best.ts';
import { Columns } from './columns.ts';
import type { Answer, Asker, Hit, RequestEntry, RideEntry } from './entries.ts';
import { bestNearMisses, type NearOrder } from './near-misses.ts';
import { Shapes, type Place, type Places } from './places.ts';
import { msOrNever, Points, timesOnUse } from './points.ts';
import { Runs } from './runs.ts';
import { People, Slots } from './slots.ts';
import { partsOf, type Part } from './stored.ts';
import { Areas, at as word, rowWords, seatsOf, Timetable } from './timetable.ts';

const noOffer = 2 ** 32 - 1;
/** Requests checked for near misses, the potentially nearest first. */
const mostNearLooks = 200;

const requestColumns = {
  passenger: Uint32Array,
  isPublic: Uint8Array,
  seats: Uint8Array,
  offerCents: Uint32Array,
  walkMetres: Uint32Array,
  preferences: Uint8Array,
  earliest: Float64Array,
  latest: Float64Array,
  arriveBy: Float64Array,
  firstSpot: Uint32Array,
  pickups: Uint8Array,
  dropoffs: Uint8Array,
  firstDirect: Uint32Array,
  /** The least direct drive within the walk. */
  directMs: Int32Array,
};

/** Pick-ups, then drop-offs of each request. */
const spotColumns = {
  walkMetres: Uint32Array,
  isDoor: Uint8Array,
  cell: Uint16Array,
  /** Seconds in the cell: of a pick-up from where it can be entered, of a drop-off until it can be left. */
  inCell: Uint16Array,
  /** The meeting point's position in the original request. */
  at: Uint8Array,
};

/** All open requests, and the search for those that fit a ride. */
export class RequestIndex {
  private readonly places: Places;
  private readonly slots = new Slots();
  private readonly people = new People();
  private readonly areas: Areas;
  private readonly timetable: Timetable;
  private readonly points: Points;
  private readonly spotRuns = new Runs();
  private readonly directRuns = new Runs();
  private readonly requests = new Columns(requestColumns, () => this.slots.end);
  private readonly spots = new Columns(spotColumns, () => this.spotRuns.end);
  private readonly direct = new Columns({ ms: Int32Array }, () => this.directRuns.end);
  /** All of its arrays. */
  readonly part: Part;
  /** Departures before it are excluded. */
  private nowMs = -Infinity;

  constructor(places: Places) {
    this.places = places;
    this.points = new Points(places, () => this.spotRuns.end);
    this.areas = new Areas(places.cellCount);
    this.timetable = new Timetable(this.areas.depth);
    const { slots, people, timetable, spotRuns, directRuns, points, requests, spots, direct } = this;
    const parts = { slots, people, timetable, spotRuns, directRuns, requests, spots, direct };
    this.part = partsOf({ ...parts, points: points.part });
  }

  get size(): number {
    return this.slots.size;
  }

  /** Adds or replaces a request. One whose door no road reaches is left out. */
  put(entry: RequestEntry): void {
    this.drop(entry.id);
    const { wish } = entry;
    const [pickups, dropoffs] = [this.reached(wish.pickups), this.reached(wish.dropoffs)];
    if (pickups === null || dropoffs === null) return;
    const slot = this.slots.take(entry.id);
    const firstSpot = this.spotRuns.take(pickups.length + dropoffs.length);
    this.spots.ensure(this.spotRuns.end);
    pickups.forEach((spot, i) => this.putSpot(firstSpot + i, spot, spot.place.entering));
    dropoffs.forEach((spot, i) => this.putSpot(firstSpot + pickups.length + i, spot, spot.place.leaving));
    const firstDirect = this.directRuns.take(pickups.length * dropoffs.length);
    this.direct.ensure(this.directRuns.end);
    const directs = this.directsOf(pickups, dropoffs);
    this.direct.at.ms.set(directs, firstDirect);
    const within = (spots: readonly ReachedSpot[]) =>
      spotsWithin(
        spots.map(({ spot }) => spot),
        wish.walkMetres,
      );
    const [ins, outs] = [within(pickups), within(dropoffs)];
    let directMs = noTime;
    for (let p = 0; p < ins; p++)
      for (let d = 0; d < outs; d++) directMs = Math.min(directMs, directs[p * dropoffs.length + d]!);
    this.requests.ensure(slot + 1);
    const { at } = this.requests;
    at.passenger[slot] = this.people.numberOf(entry.passengerId);
    at.isPublic[slot] = entry.isPublic ? 1 : 0;
    at.seats[slot] = wish.seats;
    at.offerCents[slot] = entry.offerCents ?? noOffer;
    at.walkMetres[slot] = wish.walkMetres;
    at.preferences[slot] = wish.preferences;
    at.earliest[slot] = wish.earliestMs;
    at.latest[slot] = wish.latestMs;
    at.arriveBy[slot] = wish.arriveByMs;
    at.firstSpot[slot] = firstSpot;
    at.pickups[slot] = pickups.length;
    at.dropoffs[slot] = dropoffs.length;
    at.firstDirect[slot] = firstDirect;
    at.directMs[slot] = directMs;
    this.timetable.add({
      slot,
      earliest: Math.floor(wish.earliestMs / 1000),
      latest: Math.ceil(wish.latestMs / 1000),
      span: Math.ceil((wish.arriveByMs - wish.latestMs) / 1000),
      fromCell: pickups[0]!.place.cell,
      toCell: dropoffs[0]!.place.cell,
      leaving: 0,
      entering: 0,
      driving: Math.floor(directMs / 1000),
      seats: wish.seats,
      kind: 0,
      area: this.areas.ofAll(pickups.map(({ place }) => place.cell)),
    });
  }

  /** Removes a request, if it is indexed. */
  drop(id: string): void {
    const slot = this.slots.find(id);
    if (slot < 0) return;
    const { at } = this.requests;
    const first = at.firstSpot[slot]!;
    const spots = at.pickups[slot]! + at.dropoffs[slot]!;
    for (let spot = first; spot < first + spots; spot++) this.points.drop(spot);
    this.spotRuns.give(first, spots);
    this.directRuns.give(at.firstDirect[slot]!, at.pickups[slot]! * at.dropoffs[slot]!);
    this.timetable.remove(slot);
    this.slots.give(id);
  }

  /**
   * The requests that fit a ride, and optionally the near misses.
   * @param among ids of the only requests that count; all of them where it is missing
   */
  find(offered: OfferedRide, asker: Asker, among?: readonly string[]): Answer {
    const ride = { ...offered, plan: planFrom(offered.plan, asker.nowMs) };
    this.nowMs = asker.nowMs;
    const answer: Answer = { publicCount: 0, restrictedCount: 0, hits: [], nearMisses: [], survivors: 0 };
    const places = ride.plan.stops.map((stop) => this.places.at(stop));
    if (!places.every((place) => place !== null)) return answer;
    const hidden = this.people.known(asker.hidden);
    const counting = among === undefined ? null : new Set(among.map((id) => this.slots.find(id)));
    const hits = new Best<Hit>(asker.most, ({ score }) => score);
    const found = new Set<number>();
    const search: Search = { ride, places, asker, hidden, found };
    const { fromFirst, toFirst } = this.places.sweeps;
    fromFirst.start(
      places.slice(0, -1).map(({ departures }) => departures),
      1,
    );
    toFirst.start(
      places.slice(1).map(({ arrivals }) => arrivals),
      1,
    );
    this.survivors(search, false, (slot) => {
      if (counting?.has(slot) === false) return;
      if (hidden.has(this.requests.at.passenger[slot]!) || this.requests.at.latest[slot]! < asker.nowMs)
        return;
      if (!suits(ride.plan.preferences, this.requests.at.preferences[slot]!)) return;
      answer.survivors++;
      if (!this.isWithinOffer(slot, ride) || this.isTooFar(slot, ride.plan, places)) return;
      const pair = this.pairOf(slot, ride, places);
      const choice = bestInsertion(pair.plan, pair.wish, pair.drives);
      if (choice === null) return;
      found.add(slot);
      if (this.requests.at.isPublic[slot]) answer.publicCount++;
      else answer.restrictedCount++;
      hits.add(this.hitOf(slot, pair, choice));
    });
    answer.hits = hits.sorted();
    if (asker.nearMisses > 0) answer.nearMisses = this.nearMisses(search);
    return answer;
  }

  private nearMisses(search: Search): Answer['nearMisses'] {
    const { ride, places, asker, hidden, found } = search;
    const near: NearOrder[] = [];
    this.survivors(search, true, (slot, atLeast) => {
      if (found.has(slot) || hidden.has(this.requests.at.passenger[slot]!)) return;
      if (this.requests.at.latest[slot]! < asker.nowMs) return;
      if (!suits(ride.plan.preferences, this.requests.at.preferences[slot]!)) return;
      if (atLeast === 0 || this.isWithinOffer(slot, ride)) near.push({ slot, atLeast });
    });
    return bestNearMisses(
      near,
      { asker, most: mostNearLooks, side: 'driver' },
      (slot) => this.pairOf(slot, ride, places),
      (slot, changed, choice) => this.hitOf(slot, changed, choice),
    );
  }

  /**
   * The requests that the bounds cannot rule out.
   * @param near also those that miss by so little that one change may suffice, each with a lower bound of
   *   that change in minutes.
   */
  private survivors(
    { ride: { plan }, places, asker }: Search,
    near: boolean,
    visit: (slot: number, atLeastMinutes: number) => void,
  ): void {
    const last = places.length - 1;
    const fromStart = this.places.secondsFrom([places[0]!]);
    const toEnd = this.places.secondsTo([places[last]!]);
    const isChained = !places.slice(1, last).some(({ cell }) => this.places.isOutside(cell));
    const standsMs = plan.stops.reduce((sum, stop) => sum + stop.standsMs, 0) + 2 * boardingMs;
    // The bounds are free drives: the limit is converted to one.
    const driving = Math.ceil((plan.aloneMs + plan.maxDetourMs - standsMs) / plan.trafficPermille);
    const span = Math.ceil((plan.aloneMs + plan.maxDetourMs) / 1000);
    const [earliest, latest] = [plan.earliestDepartsMs / 1000, plan.latestDepartsMs / 1000];
    const now = Math.floor(asker.nowMs / 1000);
    const slack = near ? nearMs / 1000 : 0;
    const mostOver = near ? nearDetourMs / 1000 : 0;
    const free = plan.seats - Math.min(...plan.stops.slice(0, -1).map((stop) => stop.seatsTaken));
    const { firstSpot, pickups, dropoffs, walkMetres } = this.requests.at;
    const { cell, inCell, walkMetres: spotWalk } = this.spots.at;
    /** The least over the meeting points that count, door first. */
    const least = (bounds: Int32Array, first: number, count: number, within: number): number => {
      let found = Math.max(0, bounds[cell[first]!]! + inCell[first]!);
      for (let spot = first + 1; spot < first + count; spot++) {
        if (spotWalk[spot]! > within) break;
        const there = Math.max(0, bounds[cell[spot]!]! + inCell[spot]!);
        if (there < found) found = there;
      }
      return found;
    };
    const leastFrom = this.areas.least(fromStart);
    const skips = (area: number): boolean => isChained && Math.max(0, leastFrom[area]!) - driving > mostOver;
    const asked = { from: earliest - slack, until: latest + span + slack, skips };
    this.timetable.scan(asked, (words, end) => {
      for (let row = 0; row < end; row += rowWords) {
        const rowLatest = words[row + word.latest]!;
        if (rowLatest < now || (!near && seatsOf(words[row + word.rest]!) > free)) continue;
        const slot = words[row + word.slot]!;
        if (!isChained) {
          visit(slot, 0);
          continue;
        }
        const first = firstSpot[slot]!;
        const within = near ? Infinity : walkMetres[slot]!;
        const from = least(fromStart, first, pickups[slot]!, within);
        if (from - driving > mostOver) continue;
        const to = least(toEnd, first + pickups[slot]!, dropoffs[slot]!, within);
        // Between the two the car may pass other stops, where a direct drive is no bound.
        const aboard = last === 1 && !near ? words[row + word.driving]! : 0;
        const over = from + aboard + to - driving;
        if (over > mostOver) continue;
        const begins = earliest + from;
        const ends = latest + span - to - aboard;
        const arriveBy = rowLatest + words[row + word.span]!;
        const rowEarliest = words[row + word.earliest]!;
        const isLate = begins > rowLatest + slack || begins + aboard > arriveBy + slack;
        if (isLate || ends < rowEarliest - slack) continue;
        const gap = Math.max(begins - rowLatest, begins + aboard - arriveBy, rowEarliest - ends);
        if (!near || over <= 0 || gap <= 0) visit(slot, near ? Math.max(0, over, gap) / 60 : 0);
      }
    });
  }

  /** Whether even the nearest meeting points make the detour too long, for a driver alone. */
  private isTooFar(slot: number, plan: Plan, places: readonly Place[]): boolean {
    if (places.length !== 2) return false;
    const { at } = this.requests;
    const { fromFirst, toFirst } = this.places.sweeps;
    const starts = new Shapes(places.slice(0, 1));
    const first = at.firstSpot[slot]!;
    const { trafficPermille } = plan;
    const directMs = inTraffic(at.directMs[slot]!, trafficPermille);
    const left = plan.aloneMs + plan.maxDetourMs - 2 * boardingMs - directMs;
    const to = this.leastOf(first, at.pickups[slot]!, at.walkMetres[slot]!, (spot) =>
      this.points.leastTo(spot, fromFirst, starts),
    );
    if (inTraffic(to, trafficPermille) > left) return true;
    const from = this.leastOf(first + at.pickups[slot]!, at.dropoffs[slot]!, at.walkMetres[slot]!, (spot) =>
      this.points.leastFrom(spot, toFirst),
    );
    return inTraffic(to, trafficPermille) + inTraffic(from, trafficPermille) > left;
  }

  /** The least of a time over the meeting points within the walk, the door first. */
  private leastOf(first: number, count: number, within: number, timeOf: (spot: number) => number): number {
    let least = timeOf(first);
    for (let spot = first + 1; spot < first + count; spot++) {
      if (this.spots.at.walkMetres[spot]! > within) break;
      least = Math.min(least, timeOf(spot));
    }
    // On the meeting point's own road a bound may be below 0, which no drive is.
    return Math.max(0, least);
  }

  /** A request with its drives, each computed on first use. */
  private pairOf(slot: number, ride: OfferedRide, places: readonly Place[]): Pair {
    const { points } = this;
    const { firstSpot, pickups } = this.requests.at;
    const first = firstSpot[slot]!;
    const firstDropoff = pickups[slot]!;
    const { fromFirst, toFirst } = this.places.sweeps;
    const [starts, ends] = [places.slice(0, -1), places.slice(1)];
    const to = timesOnUse(starts.length, (spot, times) =>
      points.timesTo(first + spot, fromFirst, starts, times),
    );
    const from = timesOnUse(ends.length, (spot, times) =>
      points.timesFrom(first + spot, toFirst, ends, times),
    );
    const drives: Drives = {
      toPickup: (stop, spot) => msOrNever(to(spot)[stop]!),
      fromPickup: (spot, stop) => msOrNever(from(spot)[stop - 1]!),
      toDropoff: (stop, spot) => msOrNever(to(firstDropoff + spot)[stop]!),
      fromDropoff: (spot, stop) => msOrNever(from(firstDropoff + spot)[stop - 1]!),
      direct: (p, d) => this.directMs(slot, p, d),
    };
    return {
      plan: ride.plan,
      wish: wishFrom(this.wishOf(slot), this.nowMs),
      drives,
      offerCents: this.offerCents(slot),
      fareCentsOf: (seats) => shareCents(ride, seats, ride.joinedSeats),
    };
  }

  private hitOf(slot: number, { plan, wish, fareCentsOf }: Pair, choice: Choice): Hit {
    const [pickup, dropoff] = [wish.pickups[choice.pickupSpot]!, wish.dropoffs[choice.dropoffSpot]!];
    const first = this.requests.at.firstSpot[slot]!;
    const fareCents = fareCentsOf(wish.seats);
    return {
      id: this.slots.idOf(slot),
      isPublic: this.requests.at.isPublic[slot] === 1,
      choice: {
        ...choice,
        pickupSpot: this.spots.at.at[first + choice.pickupSpot]!,
        dropoffSpot: this.spots.at.at[first + wish.pickups.length + choice.dropoffSpot]!,
      },
      fareCents,
      score: roadScore({
        detourMs: choice.detourMs,
        walkMetres: pickup.walkMetres + dropoff.walkMetres,
        waitMs: choice.pickupMs - (wish.earliestMs + wish.latestMs) / 2,
        slowMs:
          choice.dropoffMs - choice.pickupMs - inTraffic(this.directMs(slot, 0, 0), plan.trafficPermille),
        fareCents,
        isNotQuiet: differsInQuiet(plan.preferences, wish.preferences),
      }),
    };
  }

  private isWithinOffer(slot: number, ride: OfferedRide): boolean {
    const seats = this.requests.at.seats[slot]!;
    return withinOffer(shareCents(ride, seats, ride.joinedSeats), seats, this.offerCents(slot));
  }

  private offerCents(slot: number): number | null {
    const cents = this.requests.at.offerCents[slot]!;
    return cents === noOffer ? null : cents;
  }

  private directMs(slot: number, pickup: number, dropoff: number): number {
    const { firstDirect, dropoffs } = this.requests.at;
    return msOrNever(this.direct.at.ms[firstDirect[slot]! + pickup * dropoffs[slot]! + dropoff]!);
  }

  private wishOf(slot: number): Wish {
    const { at } = this.requests;
    const first = at.firstSpot[slot]!;
    const pickups = at.pickups[slot]!;
    const spots = (from: number, count: number) =>
      Array.from({ length: count }, (_, i): Spot => this.spotOf(from + i));
    return {
      seats: at.seats[slot]!,
      pickups: spots(first, pickups),
      dropoffs: spots(first + pickups, at.dropoffs[slot]!),
      walkMetres: at.walkMetres[slot]!,
      earliestMs: at.earliest[slot]!,
      latestMs: at.latest[slot]!,
      arriveByMs: at.arriveBy[slot]!,
      preferences: at.preferences[slot]!,
    };
  }

  private spotOf(row: number): Spot {
    const { walkMetres, isDoor } = this.spots.at;
    return {
      ...this.points.at(row),
      walkMetres: walkMetres[row]!,
      walkMs: isDoor[row] ? 0 : walkMsOf(walkMetres[row]!),
      // Names are only for display, and are read elsewhere.
      name: '',
    };
  }

  /** Milliseconds from each pick-up to each drop-off, row by row. */
  private directsOf(pickups: readonly ReachedSpot[], dropoffs: readonly ReachedSpot[]): Int32Array {
    const { fromFirst } = this.places.sweeps;
    const places = pickups.map(({ place }) => place);
    fromFirst.start(
      places.map(({ departures }) => departures),
      places.length,
    );
    return this.places.directs(
      places,
      dropoffs.map(({ place }) => place),
      fromFirst,
    );
  }

  private reached(spots: readonly Spot[]): ReachedSpot[] | null {
    const found = spots.flatMap((spot, at): ReachedSpot[] => {
      const place = this.places.at(spot);
      return place === null ? [] : [{ spot, place, at }];
    });
    return found[0]?.at === 0 ? found : null;
  }

  private putSpot(row: number, { spot, place, at }: ReachedSpot, inCell: number): void {
    this.points.put(row, spot, place);
    const columns = this.spots.at;
    columns.walkMetres[row] = spot.walkMetres;
    columns.isDoor[row] = at === 0 ? 1 : 0;
    columns.cell[row] = place.cell;
    columns.inCell[row] = Math.min(inCell, 2 ** 16 - 1);
    columns.at[row] = at;
  }
}

/** The ride of a search; it need not be indexed. */
type OfferedRide = Omit<RideEntry, 'id' | 'isPublic'>;

/** A search in progress, with the slots excluded from near misses. */
interface Search {
  ride: OfferedRide;
  places: readonly Place[];
  asker: Asker;
  /** People whose requests the asker may not see. */
  hidden: ReadonlySet<number>;
  /** Slots of requests that fit. */
  found: ReadonlySet<number>;
}

interface ReachedSpot {
  spot: Spot;
  place: Place;
  at: number;
}
