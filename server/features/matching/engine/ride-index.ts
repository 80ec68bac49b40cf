import type { Pair } from '../rules/explain.ts';
import type { Choice, Drives } from '../rules/insertion.ts';
import { nearDetourMs, nearMs } from '../rules/near-miss.ts';
import { planFrom, wishFrom } from '../rules/from-now.ts';
import { boardingMs, type Plan, type PlanStop } from '../rules/plan.ts';
import { suits } from '../rules/preferences.ts';
import { withinOffer } from '../rules/price.ts';
import type { Wish } from '../rules/wish.ts';
import { Best } from './best.ts';
import { ByScore } from './by-score.ts';
import { Columns } from './columns.ts';
import type { Answer, Asker, Hit, RideEntry } from './entries.ts';
import { bestNearMisses, type NearOrder } from './near-misses.ts';
import type { Places } from './places.ts';
import { msOrNever, Points, timesOnUse } from './points.ts';
import { Question } from './question.ts';
import { RideJudge } from './ride-judge.ts';
import { RideRecords, stopColumns } from './ride-records.ts';
import { RideWays } from './ride-ways.ts';
import { RidesTogether, type Ends } from './rides-together.ts';
import { Runs } from './runs.ts';
import { People, Slots } from './slots.ts';
import { partsOf, type Part } from './stored.ts';
import {
  anywhere,
  Areas,
  at as word,
  highHalf,
  kindOf,
  lowHalf,
  rowWords,
  seatsOf,
  Timetable,
} from './timetable.ts';

/** The kinds of a ride for its first check. */
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

/** By how much the bounds of a ride may miss a request. */
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

/** All open rides, and the search for those that fit a request. */
export class RideIndex {
  private readonly places: Places;
  private readonly slots = new Slots();
  private readonly people = new People();
  private readonly areas: Areas;
  private readonly timetable: Timetable;
  private readonly points: Points;
  private readonly runs = new Runs();
  private readonly rides = new RideRecords(() => this.slots.end);
  private readonly ways: RideWays;
  private readonly stops = new Columns(stopColumns, () => this.runs.end);
  /** All of its arrays. */
  readonly part: Part;
  private readonly judge: RideJudge;
  private readonly waiting = new ByScore();
  private readonly together: RidesTogether;
  /** Departures before it are excluded. */
  private nowMs = -Infinity;

  constructor(places: Places) {
    this.places = places;
    this.points = new Points(places, () => this.runs.end);
    this.ways = new RideWays(places);
    const { slots, people, runs, points, rides, ways, stops } = this;
    this.judge = new RideJudge({ places, points, rides, ways, stops });
    this.together = new RidesTogether({ places, rides, ways });
    this.areas = new Areas(places.cellCount);
    this.timetable = new Timetable(this.areas.depth);
    const { timetable } = this;
    const onRoads = { points: points.part, ways: ways.part };
    this.part = partsOf({ slots, people, timetable, runs, rides, stops, ...onRoads });
  }

  get size(): number {
    return this.slots.size;
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
    this.rides.put(slot, {
      driver: this.people.numberOf(entry.driverId),
      isPublic: entry.isPublic,
      isPerCar: entry.priceKind === 'perCar',
      seats: plan.seats,
      joinedSeats: entry.joinedSeats,
      costCents: entry.costCents,
      departs: plan.departsMs,
      earliest: plan.earliestDepartsMs,
      latest: plan.latestDepartsMs,
      traffic: plan.trafficPermille,
      alone: plan.aloneMs,
      maxDetour: plan.maxDetourMs,
      preferences: plan.preferences,
      firstStop: first,
      stops: count,
      firstWay: this.ways.put(places),
    });
    const standsMs = plan.stops.reduce((sum, stop) => sum + stop.standsMs, 0) + 2 * boardingMs;
    const legs = plan.stops.slice(0, -1);
    const kind =
      count === 2
        ? kinds.alone
        : places.slice(1, -1).some(({ cell }) => this.places.isOutside(cell))
          ? kinds.outside
          : kinds.stops;
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
      kind,
      area: kind === kinds.outside ? anywhere : this.areas.ofCell(places[0]!.cell),
    });
  }

  /** Removes a ride, if it is indexed. */
  drop(id: string): void {
    const slot = this.slots.find(id);
    if (slot < 0) return;
    const first = this.rides.firstStop(slot);
    const count = this.rides.stops(slot);
    for (let stop = first; stop < first + count; stop++) this.points.drop(stop);
    this.runs.give(first, count);
    this.ways.drop(this.rides.firstWay(slot));
    this.timetable.remove(slot);
    this.slots.give(id);
  }

  /** The rides that fit a request, and optionally the near misses. */
  find(asked: Wish, offerCents: number | null, asker: Asker): Answer {
    const wish = wishFrom(asked, asker.nowMs);
    this.nowMs = asker.nowMs;
    const answer: Answer = { publicCount: 0, restrictedCount: 0, hits: [], nearMisses: [], survivors: 0 };
    const question = Question.of(this.places, wish);
    if (question === null) return answer;
    this.judge.start(question, this.nowMs);
    const hidden = this.people.known(asker.hidden);
    const hits = new Best<Found>(asker.most, ({ score }) => score);
    const found = new Set<number>();
    const isOffered = (slot: number): boolean => {
      if (hidden.has(this.rides.driver(slot)) || this.rides.latest(slot) < asker.nowMs) return false;
      if (!suits(this.rides.preferences(slot), wish.preferences)) return false;
      answer.survivors++;
      return withinOffer(this.rides.fareCents(slot, wish.seats), wish.seats, offerCents);
    };
    const count = (slot: number): void => {
      if (asker.nearMisses > 0) found.add(slot);
      if (this.rides.isPublic(slot)) answer.publicCount++;
      else answer.restrictedCount++;
    };
    const { judge, waiting } = this;
    waiting.clear();
    this.candidates(question, isOffered, (slot, ends) => {
      const atLeast = judge.scoreAtLeast(slot, ends);
      if (atLeast !== null) waiting.add(slot, atLeast, judge.fitsNearest(slot));
    });
    waiting.sort();
    for (let rank = 0; rank < waiting.count; rank++) {
      const slot = waiting.slot(rank);
      // From the first one on that cannot be among the best, rides are only counted.
      if (waiting.atLeast(rank) >= hits.limit) {
        if (waiting.fits(rank) || judge.fits(slot)) count(slot);
        continue;
      }
      const choice = judge.choose(slot);
      if (choice === null) continue;
      count(slot);
      hits.add({ slot, choice, score: judge.scoreOf(slot, choice, wish.seats) });
    }
    answer.hits = hits.sorted().map((each) => this.hitOf(each, wish.seats, question));
    if (asker.nearMisses > 0)
      answer.nearMisses = this.nearMisses({ question, offerCents, asker, hidden, found });
    return answer;
  }

  /**
   * The rides that fit a request, nearly fit it, or could if all their places moved somewhat: the potentially
   * nearest first.
   */
  around(wish: Wish, nowMs: number): RideEntry[] {
    const question = Question.of(this.places, wish);
    if (question === null) return [];
    const found: NearOrder[] = [];
    this.survivors(question, nowMs, roughly, (slot, atLeast) => found.push({ slot, atLeast }));
    found.sort((a, b) => a.atLeast - b.atLeast || a.slot - b.slot);
    const surely = found.findLastIndex(({ atLeast }) => atLeast <= roughSeconds / 60) + 1;
    return found.slice(0, Math.max(surely, mostNearLooks)).map(({ slot }) => this.entry(slot));
  }

  private entry(slot: number): RideEntry {
    const { rides } = this;
    return {
      id: this.slots.idOf(slot),
      driverId: this.people.idOf(rides.driver(slot)),
      isPublic: rides.isPublic(slot),
      plan: this.plan(slot),
      priceKind: rides.isPerCar(slot) ? 'perCar' : 'perPerson',
      costCents: rides.costCents(slot),
      joinedSeats: rides.joinedSeats(slot),
    };
  }

  private nearMisses({ question, offerCents, asker, hidden, found }: Search): Answer['nearMisses'] {
    const { wish } = question;
    const near: NearOrder[] = [];
    this.survivors(question, asker.nowMs, nearly, (slot, atLeast) => {
      if (found.has(slot) || hidden.has(this.rides.driver(slot))) return;
      if (this.rides.latest(slot) < asker.nowMs) return;
      if (!suits(this.rides.preferences(slot), wish.preferences)) return;
      const isTooDear = !withinOffer(this.rides.fareCents(slot, wish.seats), wish.seats, offerCents);
      if (atLeast === 0 || !isTooDear) near.push({ slot, atLeast });
    });
    return bestNearMisses(
      near,
      { asker, most: mostNearLooks, side: 'passenger' },
      (slot) => this.pairOf(slot, question, offerCents),
      (slot, { wish: { seats } }, choice) => {
        const score = this.judge.scoreOf(slot, choice, seats);
        return this.hitOf({ slot, choice, score }, seats, question);
      },
    );
  }

  /** The rides that the bounds between cells and the drives to and from their ends leave. */
  private candidates(
    question: Question,
    isOffered: (slot: number) => boolean,
    visit: (slot: number, ends: Ends) => void,
  ): void {
    const { together } = this;
    const ends = { toMs: 0, toSpot: 0, fromMs: 0, fromSpot: 0 };
    const visitAll = (): void => {
      together.narrow(question, isOffered);
      for (let at = 0; at < together.count; at++) {
        if (!together.hasTime(at)) continue;
        together.endsOf(at, ends);
        visit(together.slots[at]!, ends);
      }
      together.count = 0;
    };
    this.survivors(question, this.nowMs, exactly, (slot, _, mostSeconds, homeSeconds) => {
      together.add(slot, mostSeconds * 1000, homeSeconds * 1000);
      if (together.isFull) visitAll();
    });
    visitAll();
  }

  private hitOf({ slot, choice, score }: Found, seats: number, question: Question): Hit {
    return {
      id: this.slots.idOf(slot),
      isPublic: this.rides.isPublic(slot),
      choice: question.asAsked(choice),
      fareCents: this.rides.fareCents(slot, seats),
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
    visit: (slot: number, atLeastMinutes: number, mostSeconds: number, homeSeconds: number) => void,
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
    const least = this.areas.least(intoPickup);
    const leastAboard = Math.min(direct, between);
    const skips = (area: number, mostDriving: number, begins: number): boolean => {
      const from = Math.max(0, least[area]!);
      return (
        from + leastAboard - mostDriving > mostOver ||
        begins + from > latest + slack ||
        begins + from + leastAboard > arriveBy + slack
      );
    };
    this.timetable.scan({ from: earliest - slack, until: latest + slack, skips }, (words, end) => {
      for (let row = 0; row < end; row += rowWords) {
        const rest = words[row + word.rest]!;
        const rowLatest = words[row + word.latest]!;
        if (rowLatest < now || seatsOf(rest) < fewest) continue;
        const kind = kindOf(rest);
        if (kind === kinds.outside) {
          visit(words[row + word.slot]!, 0, Infinity, 0);
          continue;
        }
        const ended = rowLatest + words[row + word.span]!;
        // Most rows are ruled out by what is asked first.
        if (ended < earliest - slack) continue;
        const cells = words[row + word.cells]!;
        const inCells = words[row + word.inCells]!;
        const from = Math.max(0, intoPickup[lowHalf(cells)]! + lowHalf(inCells));
        const aboard = kind === kinds.alone ? direct : between;
        const mostSeconds = words[row + word.driving]! - aboard;
        if (from - mostSeconds > mostOver) continue;
        const to = Math.max(0, fromDropoff[highHalf(cells)]! + highHalf(inCells));
        const over = from + to - mostSeconds;
        if (over > mostOver) continue;
        const begins = words[row + word.earliest]! + from;
        const ends = ended - to - aboard;
        if (begins > latest + slack || begins + aboard > arriveBy + slack || ends < earliest - slack)
          continue;
        if (!near) {
          visit(words[row + word.slot]!, 0, kind === kinds.alone ? mostSeconds : Infinity, to);
          continue;
        }
        const gap = Math.max(begins - latest, begins + aboard - arriveBy, earliest - ends);
        if (twoRules || over <= 0 || gap <= 0)
          visit(words[row + word.slot]!, Math.max(0, over, gap) / 60, Infinity, to);
      }
    });
  }

  private pairOf(slot: number, question: Question, offerCents: number | null): Pair {
    return {
      plan: planFrom(this.plan(slot), this.nowMs),
      wish: question.wish,
      drives: this.drivesOf(slot, question),
      offerCents,
      fareCentsOf: (seats) => this.rides.fareCents(slot, seats),
    };
  }

  /** The free drives between a ride's stops and a request's meeting points: of each stop on first use. */
  private drivesOf(slot: number, question: Question): Drives {
    const { points } = this;
    const { pickups, dropoffs } = question;
    const { toFirst, fromFirst, toSecond, fromSecond } = this.places.sweeps;
    const first = this.rides.firstStop(slot);
    const toPickups = timesOnUse(pickups.length, (stop, times) =>
      points.timesFrom(first + stop, toFirst, pickups, times),
    );
    const fromPickups = timesOnUse(pickups.length, (stop, times) =>
      points.timesTo(first + stop, fromFirst, pickups, times),
    );
    const toDropoffs = timesOnUse(dropoffs.length, (stop, times) =>
      points.timesFrom(first + stop, toSecond, dropoffs, times),
    );
    const fromDropoffs = timesOnUse(dropoffs.length, (stop, times) =>
      points.timesTo(first + stop, fromSecond, dropoffs, times),
    );
    return {
      toPickup: (stop, spot) => msOrNever(toPickups(stop)[spot]!),
      fromPickup: (spot, stop) => msOrNever(fromPickups(stop)[spot]!),
      toDropoff: (stop, spot) => msOrNever(toDropoffs(stop)[spot]!),
      fromDropoff: (spot, stop) => msOrNever(fromDropoffs(stop)[spot]!),
      direct: (pickup, dropoff) => question.direct(pickup, dropoff),
    };
  }

  private plan(slot: number): Plan {
    const { rides } = this;
    const first = rides.firstStop(slot);
    return {
      stops: Array.from({ length: rides.stops(slot) }, (_, i) => this.stop(first + i)),
      seats: rides.seats(slot),
      departsMs: rides.departs(slot),
      earliestDepartsMs: rides.earliest(slot),
      latestDepartsMs: rides.latest(slot),
      trafficPermille: rides.traffic(slot),
      aloneMs: rides.alone(slot),
      maxDetourMs: rides.maxDetour(slot),
      preferences: rides.preferences(slot),
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
