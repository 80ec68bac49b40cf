import { inTraffic } from '#roads/graph/traffic.ts';
import { bestAlone, fitsAlone, fitsAt } from '../rules/flat-insertion.ts';
import type { Choice } from '../rules/insertion.ts';
import { OnBoard, type PositionBounds } from '../rules/insertion-on-board.ts';
import { boardingMs } from '../rules/plan.ts';
import { differsInQuiet } from '../rules/preferences.ts';
import { driveScore, roadScore } from '../rules/ranking.ts';
import type { Columns } from './columns.ts';
import { noShape, type Places } from './places.ts';
import type { Points } from './points.ts';
import type { Question } from './question.ts';
import type { RideRecords, stopColumns } from './ride-records.ts';
import type { RideWays } from './ride-ways.ts';
import { RideTimes } from './ride-times.ts';
import { RoughTimes } from './rough-times.ts';
import type { Ends } from './rides-together.ts';

/** Where rides are looked up. */
interface Records {
  places: Places;
  points: Points;
  rides: RideRecords;
  ways: RideWays;
  stops: Columns<typeof stopColumns>;
}

/**
 * Judges rides for one request after the other: by the least times of all its meeting points first, then by
 * the times of each.
 */
export class RideJudge {
  private readonly records: Records;
  private readonly times: RideTimes;
  private readonly rough: RoughTimes;
  private readonly onBoard = new OnBoard();
  /** Of the latest driver with no passenger: the least times to the pick-ups and from the drop-offs. */
  private readonly leasts = { to: 0, from: 0 };
  /** Departures before it are excluded. */
  private nowMs = 0;
  /** The longest walk to a pick-up. */
  private mostWalkMs = 0;
  private question: Question | null = null;

  constructor(records: Records) {
    this.records = records;
    this.times = new RideTimes(records);
    this.rough = new RoughTimes(records);
  }

  /** Starts with another request. */
  start(question: Question, nowMs: number): void {
    this.question = question;
    this.nowMs = nowMs;
    this.mostWalkMs = Math.max(...question.flat.walkMs);
    this.times.start(question);
    this.rough.start(question);
  }

  /**
   * A score that no insertion into a ride is below; null where the least times of all meeting points say
   * already that none fits.
   * @param ends the least drives of its first and last stops.
   */
  scoreAtLeast(slot: number, ends: Ends): number | null {
    this.times.open(this.records.rides, slot, ends);
    if (this.isAlone(slot)) {
      const bounds = this.boundsAlone(slot);
      return bounds === null ? null : this.scoreWithin(slot, bounds);
    }
    let least = null as number | null;
    this.openStops(slot, (bounds) => {
      const score = this.scoreWithin(slot, bounds);
      least = least === null ? score : Math.min(least, score);
    });
    return least;
  }

  /**
   * Whether a driver with no passenger fits with one pair of meeting points: the pick-up point nearest to the
   * start and the drop-off point nearest to the end. False says nothing about other meeting points. The
   * caller has just called `scoreAtLeast` for this ride.
   */
  fitsNearest(slot: number): boolean {
    const { rides, ways } = this.records;
    if (!this.isAlone(slot)) return false;
    const { pickupShapes, dropoffShapes, flat } = this.question!;
    const first = rides.firstWay(slot);
    const [start, end] = [ways.shapeOf(ways.from(first, 0)), ways.shapeOf(ways.to(first, 1, 2))];
    // Beyond the region nothing is known, and along one road the least is a bound, which no drive may reach.
    if (start === noShape || end === noShape) return false;
    if (pickupShapes.has(start) || dropoffShapes.has(end)) return false;
    const { times } = this;
    const { to, from } = this.leasts;
    const [pickupSpot, dropoffSpot] = [times.nearestToPickup(), times.nearestFromDropoff()];
    const direct = times.directs[pickupSpot * flat.walkAfterMs.length + dropoffSpot]!;
    return fitsAt(this.rideOf(slot), flat, { pickupSpot, dropoffSpot, to, direct, from });
  }

  /** The best insertion into a ride. */
  choose(slot: number): Choice | null {
    this.open(slot);
    if (this.isAlone(slot)) return bestAlone(this.rideOf(slot), this.question!.flat, this.timesAlone());
    this.openStops(slot);
    return this.onBoard.choose(this.times);
  }

  /** Whether there is an insertion into a ride at all. */
  fits(slot: number): boolean {
    this.open(slot);
    if (this.isAlone(slot)) return fitsAlone(this.rideOf(slot), this.question!.flat, this.timesAlone());
    this.openStops(slot);
    return this.onBoard.fits(this.times);
  }

  /** @param seats which the passenger takes. */
  scoreOf(slot: number, choice: Choice, seats: number): number {
    const { rides } = this.records;
    const { wish, directs, middleMs } = this.question!;
    const [pickup, dropoff] = [wish.pickups[choice.pickupSpot]!, wish.dropoffs[choice.dropoffSpot]!];
    return roadScore({
      detourMs: choice.detourMs,
      walkMetres: pickup.walkMetres + dropoff.walkMetres,
      waitMs: choice.pickupMs - middleMs,
      slowMs: choice.dropoffMs - choice.pickupMs - inTraffic(directs[0]!, rides.traffic(slot)),
      fareCents: rides.fareCents(slot, seats),
      isNotQuiet: differsInQuiet(rides.preferences(slot), wish.preferences),
    });
  }

  /** A score that no insertion within some bounds is below. */
  private scoreWithin(slot: number, bounds: PositionBounds): number {
    const { rides } = this.records;
    const { wish, directs, middleMs } = this.question!;
    const { isOneLeg, detourMs, aboardMs, earliestMs, latestMs } = bounds;
    const slowMs = aboardMs - inTraffic(directs[0]!, rides.traffic(slot));
    const others =
      roadScore({
        detourMs: 0,
        walkMetres: 0,
        waitMs: Math.max(0, earliestMs - middleMs, middleMs - latestMs),
        slowMs: 0,
        fareCents: rides.fareCents(slot, wish.seats),
        isNotQuiet: differsInQuiet(rides.preferences(slot), wish.preferences),
      }) - roundingError;
    const nearest = driveScore(Math.max(0, detourMs), Math.max(0, slowMs));
    if (!isOneLeg) return others + nearest;
    // The meeting points with the shortest drive between them are seldom those with the shortest walks.
    const { leastDirectMs, leastSpotsScore } = this.times;
    const around = driveScore(detourMs - leastDirectMs, slowMs - leastDirectMs);
    return others + Math.max(nearest, around + leastSpotsScore);
  }

  private isAlone(slot: number): boolean {
    return this.records.rides.stops(slot) === 2;
  }

  private open(slot: number): void {
    this.times.open(this.records.rides, slot);
  }

  /** For a driver with no passenger; null where nothing fits. */
  private boundsAlone(slot: number): PositionBounds | null {
    const { rides } = this.records;
    const { times } = this;
    const { wish } = this.question!;
    const to = times.leastToPickups(0);
    const from = times.leastFromDropoffs(1);
    this.leasts.to = to;
    this.leasts.from = from;
    const aboardMs = boardingMs + times.leastDirectMs;
    const mostMs = rides.alone(slot) + rides.maxDetour(slot);
    const spareMs = mostMs - (to + aboardMs + from + boardingMs);
    const earliestMs = Math.max(rides.earliest(slot) + to, this.nowMs + to, wish.earliestMs);
    // The car is with the passenger at the latest when only the rest of the drive fits into its time.
    const latestMs = Math.min(rides.latest(slot) + to + spareMs, wish.latestMs);
    if (!(spareMs >= 0) || latestMs < wish.earliestMs) return null;
    if (earliestMs > wish.latestMs || earliestMs + aboardMs > wish.arriveByMs) return null;
    const detourMs = to + aboardMs + from + boardingMs - rides.alone(slot);
    // The agreed departure stays where possible. A longer way to the pick-up would make it later, which costs
    // more detour than it saves in waiting, but for what the least detour is below 0.
    const departsMs = Math.max(rides.departs(slot), rides.earliest(slot), this.nowMs);
    const agreedMs = departsMs + to + Math.max(0, -detourMs);
    return {
      isOneLeg: true,
      detourMs,
      aboardMs,
      earliestMs,
      latestMs: Math.min(latestMs, Math.max(agreedMs, wish.earliestMs + this.mostWalkMs)),
    };
  }

  /** The times of the opened ride, of a driver with no passenger. */
  private timesAlone() {
    const { times } = this;
    const { directs, leastDirectMs } = times;
    return { toPickups: times.toPickups(0), directs, fromDropoffs: times.fromDropoffs(1), leastDirectMs };
  }

  /** A ride without its stops, each time in the same object. */
  private rideOf(slot: number) {
    const { rides } = this.records;
    const { ride } = this.onBoard;
    ride.seats = rides.seats(slot);
    ride.departsMs = rides.departs(slot);
    ride.earliestDepartsMs = Math.max(rides.earliest(slot), this.nowMs);
    ride.latestDepartsMs = rides.latest(slot);
    ride.aloneMs = rides.alone(slot);
    ride.maxDetourMs = rides.maxDetour(slot);
    return ride;
  }

  /** Opens a ride's positions; `consider` is called with those that the least times leave. */
  private openStops(slot: number, consider?: (bounds: PositionBounds) => void): void {
    const { rides } = this.records;
    const { stands, toNext, seatsTaken, earliest, latest } = this.records.stops.at;
    const first = rides.firstStop(slot);
    const count = rides.stops(slot);
    this.rideOf(slot);
    this.onBoard.reserve(count);
    const { stops } = this.onBoard;
    for (let stop = 0; stop < count; stop++) {
      stops.standsMs[stop] = stands[first + stop]!;
      stops.toNextMs[stop] = toNext[first + stop]!;
      stops.seatsTaken[stop] = seatsTaken[first + stop]!;
      stops.earliestMs[stop] = earliest[first + stop]!;
      stops.latestMs[stop] = latest[first + stop]!;
    }
    const { flat } = this.question!;
    const { leastDirectMs } = this.times;
    this.rough.open(rides.firstWay(slot), count, { permille: rides.traffic(slot), leastDirectMs });
    // Most of these rides are ruled out by cells alone, before any time is searched for.
    if (this.onBoard.open(flat, this.rough)) this.onBoard.open(flat, this.times, consider);
  }
}

/** More than a sum of a score's parts is off when they are added in another order. */
const roundingError = 1e-6;
