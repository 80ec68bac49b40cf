import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import type { Pair } from '../rules/explain.ts';
import { bestAlone, bestInsertion, type Choice, type Drives } from '../rules/insertion.ts';
import { nearDetourMs, nearMissOf, nearMs, withChange } from '../rules/near-miss.ts';
import { planFrom, wishFrom } from '../rules/from-now.ts';
import { boardingMs, type Plan, type PlanStop } from '../rules/plan.ts';
import { differsInQuiet, suits } from '../rules/preferences.ts';
import { shareCents, withinOffer } from '../rules/price.ts';
import { roadScore } from '../rules/ranking.ts';
import type { Wish } from '../rules/wish.ts';
import { Best } from './best.ts';
import { Columns } from './columns.ts';
import type { Answer, Asker, Hit, RideEntry } from './entries.ts';
import { People } from './people.ts';
import type { Places } from './places.ts';
import { Points } from './points.ts';
import { Question } from './question.ts';
import { Runs } from './runs.ts';
import { Slots } from './slots.ts';
import { joined, partOf, type Stored } from './stored.ts';
import { Timetable } from './timetable.ts';

/** How a ride is checked first. */
const kinds = {
  /** No passengers and no via stops: a single leg. */
  alone: 0,
  /** Stops on the way, all inside the region. */
  stops: 1,
  /** A via stop beyond the region, where bounds do not add up: always checked in full. */
  outside: 2,
} as const;

const stopKinds = ['start', 'via', 'pickup', 'dropoff', 'end'] as const;
/** The maximum that a row of the timetable can hold. */
const mostSeconds = 2 ** 16 - 1;
/** Seconds beyond every order: no limit. */
const noLimit = 2 ** 40;
/** Rides checked for near misses, the potentially nearest first. */
const mostNearLooks = 1000;
/** More than a drive changes when both its ends move by less than 100 meters. */
const roughSeconds = 600;

/** By how much the bounds of a ride may miss a wish. */
interface Slack {
  timeSeconds: number;
  overSeconds: number;
  /** Whether it may miss in driving and in time alike. */
  twoRules: boolean;
}
const exactly: Slack = { timeSeconds: 0, overSeconds: 0, twoRules: false };
const nearly: Slack = { timeSeconds: nearMs / 1000, overSeconds: nearDetourMs / 1000, twoRules: false };
const roughly: Slack = {
  timeSeconds: nearly.timeSeconds + roughSeconds,
  overSeconds: nearly.overSeconds + roughSeconds,
  twoRules: true,
};

/** All open rides, and the search for those that fit a wish. */
export class RideIndex {
  private readonly places: Places;
  private readonly slots = new Slots();
  private readonly people = new People();
  private readonly timetable = new Timetable();
  private readonly points: Points;
  private readonly runs = new Runs();
  private readonly rides = new Columns({
    driver: Uint32Array,
    isPublic: Uint8Array,
    seats: Uint8Array,
    isPerCar: Uint8Array,
    costCents: Uint32Array,
    joinedSeats: Uint8Array,
    departs: Float64Array,
    earliest: Float64Array,
    latest: Float64Array,
    traffic: Uint16Array,
    alone: Uint32Array,
    maxDetour: Uint32Array,
    preferences: Uint8Array,
    firstStop: Uint32Array,
    stops: Uint8Array,
  });
  private readonly stops = new Columns({
    kind: Uint8Array,
    stands: Uint32Array,
    toNext: Uint32Array,
    toNextMetres: Uint32Array,
    seatsTaken: Uint8Array,
    earliest: Float64Array,
    latest: Float64Array,
  });

  /** Scratch space for the times and offsets of one ride. */
  private rows = { toPickups: new Int32Array(), fromDropoffs: new Int32Array() };
  private readonly offsets: number[] = [];
  /** Departures before it are excluded. */
  private nowMs = -Infinity;
  private readonly driver = {
    seats: 0,
    departsMs: 0,
    earliestDepartsMs: 0,
    latestDepartsMs: 0,
    trafficPermille: freePermille,
    aloneMs: 0,
    maxDetourMs: 0,
    preferences: 0,
  };

  constructor(places: Places) {
    this.places = places;
    this.points = new Points(places);
  }

  get size(): number {
    return this.slots.size;
  }

  /** Bytes of its arrays. */
  get bytes(): number {
    const { slots, people, timetable, points, rides, stops } = this;
    return slots.bytes + people.bytes + timetable.bytes + points.bytes + rides.bytes + stops.bytes;
  }

  /** All of it, to be kept on disk. */
  store(): Stored {
    const { slots, people, timetable, points, runs, rides, stops } = this;
    return joined({
      slots: slots.store(),
      people: people.store(),
      timetable: timetable.store(),
      points: points.store(runs.end),
      runs: runs.store(),
      rides: rides.store(slots.end),
      stops: stops.store(runs.end),
    });
  }

  /** Fills an empty index with what another has stored. */
  restore(stored: Stored): void {
    const { slots, people, timetable, points, runs, rides, stops } = this;
    slots.restore(partOf(stored, 'slots'));
    people.restore(partOf(stored, 'people'));
    timetable.restore(partOf(stored, 'timetable'));
    runs.restore(partOf(stored, 'runs'));
    points.restore(partOf(stored, 'points'), runs.end);
    rides.restore(partOf(stored, 'rides'), slots.end);
    stops.restore(partOf(stored, 'stops'), runs.end);
  }

  /** Adds or replaces a ride. One whose stops no road reaches is left out. */
  put(entry: RideEntry): void {
    this.drop(entry.id);
    const { plan } = entry;
    const places = plan.stops.map((stop) => this.places.at(stop));
    if (!places.every((place) => place !== null)) return;
    const slot = this.slots.take(entry.id);
    const count = plan.stops.length;
    const first = this.runs.take(count);
    this.stops.ensure(this.runs.end);
    plan.stops.forEach((stop, i) => {
      this.putStop(first + i, stop);
      this.points.put(first + i, stop, places[i]!);
    });
    this.rides.ensure(slot + 1);
    const { at } = this.rides;
    at.driver[slot] = this.people.numberOf(entry.driverId);
    at.isPublic[slot] = entry.isPublic ? 1 : 0;
    at.seats[slot] = plan.seats;
    at.isPerCar[slot] = entry.priceKind === 'perCar' ? 1 : 0;
    at.costCents[slot] = entry.costCents;
    at.joinedSeats[slot] = entry.joinedSeats;
    at.departs[slot] = plan.departsMs;
    at.earliest[slot] = plan.earliestDepartsMs;
    at.latest[slot] = plan.latestDepartsMs;
    at.traffic[slot] = plan.trafficPermille;
    at.alone[slot] = plan.aloneMs;
    at.maxDetour[slot] = plan.maxDetourMs;
    at.preferences[slot] = plan.preferences;
    at.firstStop[slot] = first;
    at.stops[slot] = count;
    const standsMs = plan.stops.reduce((sum, stop) => sum + stop.standsMs, 0) + 2 * boardingMs;
    const legs = plan.stops.slice(0, -1);
    this.timetable.add({
      slot,
      earliest: Math.floor(plan.earliestDepartsMs / 1000),
      latest: Math.ceil(plan.latestDepartsMs / 1000),
      span: Math.ceil((plan.aloneMs + plan.maxDetourMs) / 1000),
      fromCell: places[0]!.cell,
      toCell: places[count - 1]!.cell,
      leaving: Math.min(places[0]!.leaving, mostSeconds),
      entering: Math.min(places[count - 1]!.entering, mostSeconds),
      // The bounds are free drives: the limit is converted to one.
      driving: Math.ceil((plan.aloneMs + plan.maxDetourMs - standsMs) / plan.trafficPermille),
      seats: plan.seats - Math.min(...legs.map((stop) => stop.seatsTaken)),
      kind:
        count === 2
          ? kinds.alone
          : places.slice(1, -1).some(({ cell }) => this.places.isOutside(cell))
            ? kinds.outside
            : kinds.stops,
    });
  }

  /** Removes a ride, if it is indexed. */
  drop(id: string): void {
    const slot = this.slots.find(id);
    if (slot < 0) return;
    const first = this.rides.at.firstStop[slot]!;
    const count = this.rides.at.stops[slot]!;
    for (let stop = first; stop < first + count; stop++) this.points.drop(stop);
    this.runs.give(first, count);
    this.timetable.remove(slot);
    this.slots.give(id);
  }

  /** The rides that fit a wish, and optionally the near misses. */
  find(asked: Wish, offerCents: number | null, asker: Asker): Answer {
    const wish = wishFrom(asked, asker.nowMs);
    this.nowMs = asker.nowMs;
    const answer: Answer = { publicCount: 0, restrictedCount: 0, hits: [], nearMisses: [], survivors: 0 };
    const question = Question.of(this.places, wish);
    if (question === null) return answer;
    this.rows = {
      toPickups: new Int32Array(question.pickups.length),
      fromDropoffs: new Int32Array(question.dropoffs.length),
    };
    const hidden = this.people.known(asker.hidden);
    const hits = new Best<Found>(asker.most, ({ score }) => score);
    const found = new Set<number>();
    this.survivors(question, asker.nowMs, exactly, (slot) => {
      if (hidden.has(this.rides.at.driver[slot]!) || this.rides.at.latest[slot]! < asker.nowMs) return;
      if (!suits(this.rides.at.preferences[slot]!, wish.preferences)) return;
      answer.survivors++;
      if (!withinOffer(this.fareCents(slot, wish.seats), wish.seats, offerCents)) return;
      const choice =
        this.rides.at.stops[slot] === 2
          ? this.bestAlone(slot, question)
          : this.bestAmongStops(slot, question, offerCents);
      if (choice === null) return;
      found.add(slot);
      if (this.rides.at.isPublic[slot] === 1) answer.publicCount++;
      else answer.restrictedCount++;
      hits.add({ slot, choice, score: this.scoreOf(slot, wish.seats, choice, question) });
    });
    answer.hits = hits.sorted().map((each) => this.hitOf(each, wish.seats, question));
    if (asker.nearMisses > 0)
      answer.nearMisses = this.nearMisses({ question, offerCents, asker, hidden, found });
    return answer;
  }

  /**
   * The rides that fit a wish, nearly fit it, or could if all their places moved somewhat: the potentially
   * nearest first.
   */
  around(wish: Wish, nowMs: number): RideEntry[] {
    const question = Question.of(this.places, wish);
    if (question === null) return [];
    const found: { slot: number; atLeast: number }[] = [];
    this.survivors(question, nowMs, roughly, (slot, atLeast) => found.push({ slot, atLeast }));
    found.sort((a, b) => a.atLeast - b.atLeast || a.slot - b.slot);
    const surely = found.findLastIndex(({ atLeast }) => atLeast <= roughSeconds / 60) + 1;
    return found.slice(0, Math.max(surely, mostNearLooks)).map(({ slot }) => this.entry(slot));
  }

  private entry(slot: number): RideEntry {
    const { at } = this.rides;
    return {
      id: this.slots.idOf(slot),
      driverId: this.people.idOf(at.driver[slot]!),
      isPublic: at.isPublic[slot] === 1,
      plan: this.plan(slot),
      priceKind: at.isPerCar[slot] ? 'perCar' : 'perPerson',
      costCents: at.costCents[slot]!,
      joinedSeats: at.joinedSeats[slot]!,
    };
  }

  private nearMisses({ question, offerCents, asker, hidden, found }: Search): Answer['nearMisses'] {
    const { wish } = question;
    const near: { slot: number; atLeast: number }[] = [];
    this.survivors(question, asker.nowMs, nearly, (slot, atLeast) => {
      if (found.has(slot) || hidden.has(this.rides.at.driver[slot]!)) return;
      if (this.rides.at.latest[slot]! < asker.nowMs) return;
      if (!suits(this.rides.at.preferences[slot]!, wish.preferences)) return;
      const isTooDear = !withinOffer(this.fareCents(slot, wish.seats), wish.seats, offerCents);
      if (atLeast === 0 || !isTooDear) near.push({ slot, atLeast });
    });
    // Sorted by lower bounds: once the best known are below the next bound, no other can be among them.
    near.sort((a, b) => a.atLeast - b.atLeast || a.slot - b.slot);
    const best = new Best<Answer['nearMisses'][number]>(asker.nearMisses, ({ miss }) => miss.effort);
    for (const { slot, atLeast } of near.slice(0, mostNearLooks)) {
      if (best.isFull && atLeast > best.worst) break;
      const pair = this.pairOf(slot, question, offerCents, this.timesOf(slot, question));
      const miss = nearMissOf(pair, 'passenger', asker.nowMs);
      if (miss === null) continue;
      const changed = withChange(pair, miss);
      const choice = bestInsertion(changed.plan, changed.wish, changed.drives);
      if (choice === null) continue;
      const { seats } = changed.wish;
      const score = this.scoreOf(slot, seats, choice, question);
      best.add({ miss, hit: this.hitOf({ slot, choice, score }, seats, question) });
    }
    return best.sorted();
  }

  private scoreOf(slot: number, seats: number, choice: Choice, question: Question): number {
    const { wish, directs, middleMs } = question;
    const [pickup, dropoff] = [wish.pickups[choice.pickupSpot]!, wish.dropoffs[choice.dropoffSpot]!];
    return roadScore({
      detourMs: choice.detourMs,
      walkMetres: pickup.walkMetres + dropoff.walkMetres,
      waitMs: choice.pickupMs - middleMs,
      slowMs: choice.dropoffMs - choice.pickupMs - inTraffic(directs[0]!, this.rides.at.traffic[slot]!),
      fareCents: this.fareCents(slot, seats),
      isNotQuiet: differsInQuiet(this.rides.at.preferences[slot]!, wish.preferences),
    });
  }

  private hitOf({ slot, choice, score }: Found, seats: number, question: Question): Hit {
    return {
      id: this.slots.idOf(slot),
      isPublic: this.rides.at.isPublic[slot] === 1,
      choice: question.asAsked(choice),
      fareCents: this.fareCents(slot, seats),
      score,
    };
  }

  /**
   * The rides that the bounds cannot rule out.
   * @param slack by how much they may miss; each is visited with a lower bound of the needed change, in
   *   minutes. A ride that misses in both driving and time breaks two rules.
   */
  private survivors(
    question: Question,
    nowMs: number,
    { timeSeconds: slack, overSeconds: mostOver, twoRules }: Slack,
    visit: (slot: number, atLeastMinutes: number) => void,
  ): void {
    const { wish } = question;
    const near = slack > 0;
    const { intoPickup, fromDropoff, between, directMs } = near ? question.beyond : question.within;
    const fewest = near ? 0 : wish.seats;
    const earliest = Math.max(Math.floor(wish.earliestMs / 1000), -noLimit);
    const latest = Math.min(Math.ceil(wish.latestMs / 1000), noLimit);
    const arriveBy = Math.min(Math.ceil(wish.arriveByMs / 1000), noLimit);
    const now = Math.floor(nowMs / 1000);
    const direct = Math.min(Math.floor(directMs / 1000), noLimit);
    this.timetable.scan(earliest - slack, latest + slack, (rows, count) => {
      for (let i = 0; i < count; i++) {
        if (rows.latest[i]! < now || rows.seats[i]! < fewest) continue;
        const kind = rows.kind[i]!;
        if (kind === kinds.outside) {
          visit(rows.slot[i]!, 0);
          continue;
        }
        const from = Math.max(0, intoPickup[rows.fromCell[i]!]! + rows.leaving[i]!);
        const to = Math.max(0, fromDropoff[rows.toCell[i]!]! + rows.entering[i]!);
        const aboard = kind === kinds.alone ? direct : between;
        const over = from + aboard + to - rows.driving[i]!;
        if (over > mostOver) continue;
        const begins = rows.earliest[i]! + from;
        const ends = rows.latest[i]! + rows.span[i]! - to - aboard;
        if (begins > latest + slack || begins + aboard > arriveBy + slack || ends < earliest - slack)
          continue;
        if (!near) {
          visit(rows.slot[i]!, 0);
          continue;
        }
        const gap = Math.max(begins - latest, begins + aboard - arriveBy, earliest - ends);
        if (twoRules || over <= 0 || gap <= 0) visit(rows.slot[i]!, Math.max(0, over, gap) / 60);
      }
    });
  }

  /** The best insertion for a driver with no passenger: first by the least times to and from all spots. */
  private bestAlone(slot: number, question: Question): Choice | null {
    const { at } = this.rides;
    const { wish } = question;
    const { toFirst, fromSecond } = this.places.sweeps;
    const first = at.firstStop[slot]!;
    const traffic = at.traffic[slot]!;
    const earliestMs = Math.max(at.earliest[slot]!, this.nowMs);
    const directMs = inTraffic(question.within.directMs, traffic);
    const left = at.alone[slot]! + at.maxDetour[slot]! - 2 * boardingMs - directMs;
    const to = atLeast(this.points.leastFrom(first, toFirst), traffic);
    if (to > left || earliestMs + to > wish.latestMs) return null;
    if (earliestMs + to + boardingMs + directMs > wish.arriveByMs) return null;
    const from = atLeast(this.points.leastTo(first + 1, fromSecond), traffic);
    // The car is with the passenger at the latest when only the rest of the drive fits into its time.
    if (to + from > left || at.latest[slot]! + left - from < wish.earliestMs) return null;
    const { toPickups, fromDropoffs } = this.rows;
    this.points.timesFrom(first, toFirst, question.pickups, toPickups);
    this.points.timesTo(first + 1, fromSecond, question.dropoffs, fromDropoffs);
    const { driver } = this;
    driver.seats = at.seats[slot]!;
    driver.departsMs = at.departs[slot]!;
    driver.earliestDepartsMs = earliestMs;
    driver.latestDepartsMs = at.latest[slot]!;
    driver.trafficPermille = traffic;
    driver.aloneMs = at.alone[slot]!;
    driver.maxDetourMs = at.maxDetour[slot]!;
    driver.preferences = at.preferences[slot]!;
    return bestAlone(driver, wish, { toPickups, directs: question.directs, fromDropoffs });
  }

  private bestAmongStops(slot: number, question: Question, offerCents: number | null): Choice | null {
    if (!this.mayTake(slot, question)) return null;
    const pair = this.pairOf(slot, question, offerCents, this.timesOf(slot, question));
    return bestInsertion(pair.plan, question.wish, pair.drives);
  }

  /**
   * Whether some position of pick-up and drop-off may fit between the stops of a ride, by the least times to
   * and from all spots: no insertion takes less.
   */
  private mayTake(slot: number, question: Question): boolean {
    const { at } = this.rides;
    const { wish } = question;
    const { seatsTaken, stands, toNext } = this.stops.at;
    const { toFirst, fromFirst, toSecond, fromSecond } = this.places.sweeps;
    const { points, offsets } = this;
    const first = at.firstStop[slot]!;
    const last = at.stops[slot]! - 1;
    const traffic = at.traffic[slot]!;
    offsets[0] = 0;
    for (let a = 0; a < last; a++) offsets[a + 1] = offsets[a]! + stands[first + a]! + toNext[first + a]!;
    const mostDetourMs = at.alone[slot]! + at.maxDetour[slot]! - offsets[last]!;
    const earliestMs = Math.max(at.earliest[slot]!, this.nowMs);
    const latestMs = at.latest[slot]!;
    const seats = at.seats[slot]! - wish.seats;
    const directMs = inTraffic(question.within.directMs, traffic);
    const fits = (pickupMs: number, dropoffMs: number, b: number): boolean => {
      if (earliestMs + dropoffMs > wish.arriveByMs) return false;
      const from = atLeast(points.leastTo(first + b + 1, fromSecond), traffic);
      const spareMs = mostDetourMs - (dropoffMs + boardingMs + from - offsets[b + 1]!);
      return spareMs >= 0 && latestMs + pickupMs + spareMs >= wish.earliestMs;
    };
    for (let a = 0; a < last; a++) {
      if (seatsTaken[first + a]! > seats) continue;
      const to = atLeast(points.leastFrom(first + a, toFirst), traffic);
      const pickupMs = offsets[a]! + stands[first + a]! + to;
      if (earliestMs + pickupMs > wish.latestMs) continue;
      if (fits(pickupMs, pickupMs + boardingMs + directMs, a)) return true;
      if (a + 1 === last) break;
      const on = atLeast(points.leastTo(first + a + 1, fromFirst), traffic);
      const lateMs = pickupMs + boardingMs + on - offsets[a + 1]!;
      for (let b = a + 1; b < last && seatsTaken[first + b]! <= seats; b++) {
        const out = atLeast(points.leastFrom(first + b, toSecond), traffic);
        if (fits(pickupMs, offsets[b]! + lateMs + stands[first + b]! + out, b)) return true;
      }
    }
    return false;
  }

  /**
   * The free drives between a ride's stops and a wish's spots: a row for each stop, computed on first use.
   */
  private timesOf(slot: number, question: Question): StopTimes {
    const first = this.rides.at.firstStop[slot]!;
    const { toFirst, fromFirst, toSecond, fromSecond } = this.places.sweeps;
    const kept = (spots: number, find: (stop: number, row: Int32Array) => void) => {
      const rows: Int32Array[] = [];
      return (stop: number): Int32Array => {
        const known = rows[stop];
        if (known !== undefined) return known;
        const row = new Int32Array(spots);
        find(first + stop, row);
        rows[stop] = row;
        return row;
      };
    };
    const { points } = this;
    const { pickups, dropoffs } = question;
    return {
      toPickups: kept(pickups.length, (stop, row) => points.timesFrom(stop, toFirst, pickups, row)),
      fromPickups: kept(pickups.length, (stop, row) => points.timesTo(stop, fromFirst, pickups, row)),
      toDropoffs: kept(dropoffs.length, (stop, row) => points.timesFrom(stop, toSecond, dropoffs, row)),
      fromDropoffs: kept(dropoffs.length, (stop, row) => points.timesTo(stop, fromSecond, dropoffs, row)),
    };
  }

  private pairOf(slot: number, question: Question, offerCents: number | null, times: StopTimes): Pair {
    return {
      plan: planFrom(this.plan(slot), this.nowMs),
      wish: question.wish,
      drives: drivesBy(question, times),
      offerCents,
      fareCentsOf: (seats) => this.fareCents(slot, seats),
    };
  }

  private fareCents(slot: number, seats: number): number {
    const { isPerCar, costCents, joinedSeats } = this.rides.at;
    const priceKind = isPerCar[slot] ? 'perCar' : 'perPerson';
    return shareCents({ priceKind, costCents: costCents[slot]! }, seats, joinedSeats[slot]!);
  }

  private plan(slot: number): Plan {
    const { at } = this.rides;
    const first = at.firstStop[slot]!;
    return {
      stops: Array.from({ length: at.stops[slot]! }, (_, i) => this.stop(first + i)),
      seats: at.seats[slot]!,
      departsMs: at.departs[slot]!,
      earliestDepartsMs: at.earliest[slot]!,
      latestDepartsMs: at.latest[slot]!,
      trafficPermille: at.traffic[slot]!,
      aloneMs: at.alone[slot]!,
      maxDetourMs: at.maxDetour[slot]!,
      preferences: at.preferences[slot]!,
    };
  }

  private stop(row: number): PlanStop {
    const { at } = this.stops;
    return {
      kind: stopKinds[at.kind[row]!]!,
      // The index does not need the booking of a stop.
      bookingId: null,
      ...this.points.at(row),
      standsMs: at.stands[row]!,
      toNextMs: at.toNext[row]!,
      toNextMetres: at.toNextMetres[row]!,
      seatsTaken: at.seatsTaken[row]!,
      earliestMs: at.earliest[row]!,
      latestMs: at.latest[row]!,
    };
  }

  private putStop(row: number, stop: PlanStop): void {
    const { at } = this.stops;
    at.kind[row] = stopKinds.indexOf(stop.kind);
    at.stands[row] = stop.standsMs;
    at.toNext[row] = stop.toNextMs;
    at.toNextMetres[row] = stop.toNextMetres;
    at.seatsTaken[row] = stop.seatsTaken;
    at.earliest[row] = stop.earliestMs;
    at.latest[row] = stop.latestMs;
  }
}

/** A search in progress, with the slots excluded from near misses. */
interface Search {
  question: Question;
  offerCents: number | null;
  asker: Asker;
  /** People whose rides the asker may not see. */
  hidden: ReadonlySet<number>;
  /** Slots of rides that fit. */
  found: ReadonlySet<number>;
}

/** A fit before it is converted to a hit. */
interface Found {
  slot: number;
  choice: Choice;
  score: number;
}

/** Milliseconds of free drives between a stop of a ride and all spots of a wish, by the stop's position. */
interface StopTimes {
  toPickups(stop: number): Int32Array;
  fromPickups(stop: number): Int32Array;
  toDropoffs(stop: number): Int32Array;
  fromDropoffs(stop: number): Int32Array;
}

function drivesBy(question: Question, times: StopTimes): Drives {
  const known = (ms: number): number => (ms >= noTime ? Infinity : ms);
  return {
    toPickup: (stop, spot) => known(times.toPickups(stop)[spot]!),
    fromPickup: (spot, stop) => known(times.fromPickups(stop)[spot]!),
    toDropoff: (stop, spot) => known(times.toDropoffs(stop)[spot]!),
    fromDropoff: (spot, stop) => known(times.fromDropoffs(stop)[spot]!),
    direct: (pickup, dropoff) => question.direct(pickup, dropoff),
  };
}

/** A least time in traffic. On the point's own road it may be below 0, which no drive is. */
const atLeast = (ms: number, permille: number): number =>
  ms >= noTime ? Infinity : inTraffic(Math.max(0, ms), permille);
