import type { FlatRide, FlatWish } from './flat-insertion.ts';
import { walkShare, type Choice } from './insertion.ts';
import { boardingMs } from './plan.ts';

/** The stops of a ride, by position. */
interface FlatStops {
  standsMs: Float64Array;
  toNextMs: Float64Array;
  seatsTaken: Float64Array;
  earliestMs: Float64Array;
  latestMs: Float64Array;
}

/** Lower bounds of the drives between a stop and all meeting points; Infinity where no road leads. */
export interface LeastTimes {
  leastToPickups(stop: number): number;
  leastFromPickups(stop: number): number;
  leastToDropoffs(stop: number): number;
  leastFromDropoffs(stop: number): number;
  /** From any pick-up to any drop-off. */
  leastDirectMs: number;
}

/**
 * The drives between a stop and each meeting point, computed on first use, and those from pick-ups to
 * drop-offs.
 */
export interface StopTimes {
  toPickups(stop: number): Int32Array;
  fromPickups(stop: number): Int32Array;
  toDropoffs(stop: number): Int32Array;
  fromDropoffs(stop: number): Int32Array;
  directs: Int32Array;
}

/** Lower bounds of an insertion at one position, and two instants between which the pick-up lies. */
export interface PositionBounds {
  /** Whether no stop lies between pick-up and drop-off. */
  isOneLeg: boolean;
  detourMs: number;
  aboardMs: number;
  earliestMs: number;
  latestMs: number;
}

/**
 * `bestInsertion` over flat arrays for rides with stops on their way, one ride after the other in the same
 * arrays: the same answer. Positions that lower bounds rule out are not tried.
 */
export class OnBoard {
  /** The ride, to be filled before `open`. */
  readonly ride: FlatRide = {
    seats: 0,
    departsMs: 0,
    earliestDepartsMs: 0,
    latestDepartsMs: 0,
    aloneMs: 0,
    maxDetourMs: 0,
  };
  stops: FlatStops = stopsFor(0);
  private count = 0;
  private wish: FlatWish | null = null;
  /** When each drop-off is reached, after departure. */
  private reached = new Float64Array();
  private measures = measuresFor(0);
  private mostDetourMs = 0;
  private isLeft = false;

  /** The pick-up in progress, and the departures that it and all stops before the drop-off allow. */
  private readonly pickup = { after: 0, spot: 0, offsetMs: 0, fromMs: 0, toMs: 0 };
  private readonly best = {
    cost: Infinity,
    detourMs: 0,
    pickupAfter: 0,
    dropoffAfter: 0,
    pickupSpot: 0,
    dropoffSpot: 0,
    departsMs: 0,
    pickupOffsetMs: 0,
    dropoffOffsetMs: 0,
  };

  /** Makes room for the stops of the next ride. */
  reserve(count: number): void {
    this.count = count;
    if (count <= this.stops.standsMs.length) return;
    this.stops = stopsFor(count);
    this.measures = measuresFor(count);
  }

  /**
   * Bounds each position for a request.
   * @param consider called with the bounds of those that are left.
   * @returns whether any is.
   */
  open(wish: FlatWish, least: LeastTimes, consider?: (bounds: PositionBounds) => void): boolean {
    this.wish = wish;
    this.isLeft = false;
    if (this.reached.length < wish.walkAfterMs.length)
      this.reached = new Float64Array(wish.walkAfterMs.length);
    this.measure();
    const { stops, count, measures } = this;
    const last = count - 1;
    const seats = this.ride.seats - wish.seats;
    measures.detours.fill(Infinity, 0, count * count);
    measures.ons.fill(-1, 0, count);
    measures.outs.fill(-1, 0, count);
    measures.homes.fill(-1, 0, count);
    for (let a = 0; a < last; a++) {
      if (stops.seatsTaken[a]! > seats) continue;
      const offset = measures.offsets[a]! + stops.standsMs[a]! + least.leastToPickups(a);
      if (offset < Infinity) this.openAfter(a, offset, least, consider);
    }
    return this.isLeft;
  }

  /** Bounds the positions of the drop-off, when the pick-up after `a` is reached after `offset` or more. */
  private openAfter(
    a: number,
    offset: number,
    least: LeastTimes,
    consider?: (bounds: PositionBounds) => void,
  ): void {
    const { ride, stops, measures, mostDetourMs } = this;
    const { offsets, untilFrom, untilTo, onwardTo, detours, ons, outs, homes } = measures;
    const wish = this.wish!;
    const last = this.count - 1;
    const seats = ride.seats - wish.seats;
    const from = Math.max(ride.earliestDepartsMs, untilFrom[a]!);
    let to = Math.min(ride.latestDepartsMs, untilTo[a]!, wish.latestMs - offset);
    let lateMs = 0;
    const legMs = offsets[a + 1]! - offset - boardingMs;
    for (let b = a; b < last && stops.seatsTaken[b]! <= seats; b++) {
      if (!(from <= to)) return;
      if (homes[b + 1]! < 0) homes[b + 1] = least.leastFromDropoffs(b + 1);
      let aboardMs = boardingMs + least.leastDirectMs;
      if (b > a) {
        // Even with no time on the way to the next stop and from the one before: two times fewer to ask for.
        const leavesMs = offsets[b + 1]! - offsets[b]! - stops.standsMs[b]!;
        if (boardingMs + homes[b + 1]! - leavesMs - legMs > mostDetourMs) continue;
        if (ons[a + 1]! < 0) ons[a + 1] = least.leastFromPickups(a + 1);
        lateMs = ons[a + 1]! - legMs;
        to = Math.min(to, stops.latestMs[b]! - offsets[b]! - lateMs);
        if (outs[b]! < 0) outs[b] = least.leastToDropoffs(b);
        aboardMs = offsets[b]! + lateMs + stops.standsMs[b]! + outs[b]! - offset;
      }
      if (!(from <= to)) return;
      if (!(from + offset + aboardMs <= wish.arriveByMs)) continue;
      const detourMs = offset + aboardMs + boardingMs + homes[b + 1]! - offsets[b + 1]!;
      const latestMs = Math.min(to + offset + mostDetourMs - detourMs, wish.latestMs);
      if (!(detourMs <= mostDetourMs) || from > onwardTo[b + 1]! - detourMs || latestMs < wish.earliestMs)
        continue;
      detours[a * this.count + b] = detourMs;
      this.isLeft = true;
      if (consider === undefined) continue;
      const earliestMs = Math.max(from + offset, wish.earliestMs);
      consider({ isOneLeg: a === b, detourMs, aboardMs, earliestMs, latestMs });
    }
  }

  /** The best insertion at the positions that are left. */
  choose(times: StopTimes): Choice | null {
    this.best.cost = Infinity;
    return this.search(times, false) ? this.chosen() : null;
  }

  /** Whether there is an insertion at the positions that are left. */
  fits(times: StopTimes): boolean {
    this.best.cost = Infinity;
    return this.search(times, true);
  }

  /** @param isAny whether the first one that is found will do. */
  private search(times: StopTimes, isAny: boolean): boolean {
    const { best, pickup, stops, measures, ride } = this;
    const wish = this.wish!;
    const last = this.count - 1;
    for (let a = 0; a < last; a++) {
      if (!this.isOpen(a, a)) continue;
      const row = times.toPickups(a);
      pickup.after = a;
      for (let p = 0; p < wish.walkMs.length; p++) {
        const offset = measures.offsets[a]! + stops.standsMs[a]! + row[p]!;
        pickup.spot = p;
        pickup.offsetMs = offset;
        const readyMs = wish.earliestMs + wish.walkMs[p]! - offset;
        pickup.fromMs = Math.max(ride.earliestDepartsMs, measures.untilFrom[a]!, readyMs);
        pickup.toMs = Math.min(ride.latestDepartsMs, measures.untilTo[a]!, wish.latestMs - offset);
        if (pickup.fromMs > pickup.toMs) continue;
        this.tryDropoffs(times);
        if (isAny && best.cost < Infinity) return true;
      }
    }
    return best.cost < Infinity;
  }

  /** Whether an insertion with its drop-off after `b` or later may be better than the best so far. */
  private isOpen(a: number, b: number): boolean {
    const { detours } = this.measures;
    const end = (a + 1) * this.count;
    for (let at = a * this.count + b; at < end; at++)
      if (detours[at]! < Infinity && detours[at]! <= this.best.cost) return true;
    return false;
  }

  private isOpenAt(a: number, b: number): boolean {
    const detourMs = this.measures.detours[a * this.count + b]!;
    return detourMs < Infinity && detourMs <= this.best.cost;
  }

  /** Tries every drop-off after the current pick-up. */
  private tryDropoffs(times: StopTimes): void {
    const { pickup, stops, measures, reached } = this;
    const { offsets } = measures;
    const { after: a, spot: p } = pickup;
    const { length: spots } = this.wish!.walkAfterMs;
    const onwardMs = pickup.offsetMs + boardingMs;
    if (this.isOpenAt(a, a)) {
      for (let d = 0; d < spots; d++) reached[d] = onwardMs + times.directs[p * spots + d]!;
      this.trySpots(a, times.fromDropoffs(a + 1));
    }
    if (!this.isOpen(a, a + 1)) return;
    const lateMs = onwardMs + times.fromPickups(a + 1)[p]! - offsets[a + 1]!;
    for (let b = a + 1; b < this.count - 1; b++) {
      pickup.fromMs = Math.max(pickup.fromMs, stops.earliestMs[b]! - offsets[b]! - lateMs);
      pickup.toMs = Math.min(pickup.toMs, stops.latestMs[b]! - offsets[b]! - lateMs);
      if (pickup.fromMs > pickup.toMs) return;
      if (!this.isOpenAt(a, b)) continue;
      const leavesMs = offsets[b]! + lateMs + stops.standsMs[b]!;
      const row = times.toDropoffs(b);
      for (let d = 0; d < spots; d++) reached[d] = leavesMs + row[d]!;
      this.trySpots(b, times.fromDropoffs(b + 1));
    }
  }

  /** Remembers the drop-offs after stop `b` that fit and are better than the best so far. */
  private trySpots(b: number, fromDropoffs: Int32Array): void {
    const { best, pickup, reached, measures, mostDetourMs } = this;
    const { walkMs, walkAfterMs, arriveByMs } = this.wish!;
    const backMs = boardingMs - measures.offsets[b + 1]!;
    const onwardFrom = measures.onwardFrom[b + 1]!;
    const onwardTo = measures.onwardTo[b + 1]!;
    const walk = walkMs[pickup.spot]!;
    for (let d = 0; d < walkAfterMs.length; d++) {
      const offset = reached[d]!;
      const detourMs = offset + backMs + fromDropoffs[d]!;
      if (detourMs > mostDetourMs) continue;
      const cost = detourMs + walkShare * (walk + walkAfterMs[d]!);
      if (cost > best.cost || (cost === best.cost && detourMs >= best.detourMs)) continue;
      const from = Math.max(pickup.fromMs, onwardFrom - detourMs);
      const to = Math.min(pickup.toMs, onwardTo - detourMs, arriveByMs - walkAfterMs[d]! - offset);
      if (from > to) continue;
      best.cost = cost;
      best.detourMs = detourMs;
      best.pickupAfter = pickup.after;
      best.dropoffAfter = b;
      best.pickupSpot = pickup.spot;
      best.dropoffSpot = d;
      // The agreed departure stays where possible.
      best.departsMs = Math.min(Math.max(this.ride.departsMs, from), to);
      best.pickupOffsetMs = pickup.offsetMs;
      best.dropoffOffsetMs = offset;
    }
  }

  private chosen(): Choice {
    const { best, measures, count } = this;
    const { pickupAfter, dropoffAfter, pickupSpot, dropoffSpot, departsMs, detourMs } = best;
    return {
      pickupAfter,
      dropoffAfter,
      pickupSpot,
      dropoffSpot,
      departsMs,
      pickupMs: departsMs + best.pickupOffsetMs,
      dropoffMs: departsMs + best.dropoffOffsetMs,
      arrivesMs: departsMs + measures.offsets[count - 1]! + detourMs,
      detourMs,
    };
  }

  /** Measures the ride without the request. */
  private measure(): void {
    const { ride, stops, count } = this;
    const { offsets, untilFrom, untilTo, onwardFrom, onwardTo } = this.measures;
    let from = -Infinity;
    let to = Infinity;
    let offset = 0;
    for (let stop = 0; stop < count; stop++) {
      offsets[stop] = offset;
      untilFrom[stop] = from = Math.max(from, stops.earliestMs[stop]! - offset);
      untilTo[stop] = to = Math.min(to, stops.latestMs[stop]! - offset);
      offset += stops.standsMs[stop]! + stops.toNextMs[stop]!;
    }
    onwardFrom[count] = -Infinity;
    onwardTo[count] = Infinity;
    for (let stop = count - 1; stop >= 0; stop--) {
      onwardFrom[stop] = Math.max(onwardFrom[stop + 1]!, stops.earliestMs[stop]! - offsets[stop]!);
      onwardTo[stop] = Math.min(onwardTo[stop + 1]!, stops.latestMs[stop]! - offsets[stop]!);
    }
    this.mostDetourMs = ride.maxDetourMs + ride.aloneMs - offsets[count - 1]!;
  }
}

const stopsFor = (count: number): FlatStops => ({
  standsMs: new Float64Array(count),
  toNextMs: new Float64Array(count),
  seatsTaken: new Float64Array(count),
  earliestMs: new Float64Array(count),
  latestMs: new Float64Array(count),
});

const measuresFor = (count: number) => ({
  /** From departure to the arrival at each stop. */
  offsets: new Float64Array(count),
  /** The departures at which the stops up to one, and those from one on, keep their windows. */
  untilFrom: new Float64Array(count),
  untilTo: new Float64Array(count),
  onwardFrom: new Float64Array(count + 1),
  onwardTo: new Float64Array(count + 1),
  /** By stop: the least times from all pick-ups, to all drop-offs and from them; below 0 until asked for. */
  ons: new Float64Array(count),
  outs: new Float64Array(count),
  homes: new Float64Array(count),
  /** By the stops before pick-up and drop-off: the least detour, Infinity where nothing fits. */
  detours: new Float64Array(count * count),
});
