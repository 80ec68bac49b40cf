import { drivesInTraffic, windowRanges, type Drives, type Range } from './insertion.ts';
import { boardingMs, offsetsOf, type Plan } from './plan.ts';
import { spotsWithin, type Wish } from './wish.ts';

/** One insertion of a passenger into a plan, measured but not judged. */
export interface Position {
  /** Milliseconds from departure to pick-up and to drop-off. */
  pickupOffsetMs: number;
  dropoffOffsetMs: number;
  /** Milliseconds on foot before the pick-up and after the drop-off. */
  walkMs: number;
  walkAfterMs: number;
  /** The driver's extra minutes over driving alone, all passengers counted. */
  extraMs: number;
  /** Seats free on every leg the passenger would ride. */
  freeSeats: number;
  /** The departures that keep the windows of those on board. */
  onBoardFromMs: number;
  onBoardToMs: number;
}

/**
 * Visits every position and meeting point of a pick-up and a drop-off that roads lead to; `bestInsertion`
 * judges the same ones.
 * @param visit is passed the same object each time, and stops the iteration by returning true.
 */
export function visitPositions(
  plan: Plan,
  wish: Wish,
  free: Drives,
  visit: (position: Position) => boolean | void,
): void {
  const drives = drivesInTraffic(free, plan.trafficPermille);
  const { stops } = plan;
  const offsets = offsetsOf(stops);
  const last = stops.length - 1;
  const range = windowRanges(stops, offsets);
  const pickups = spotsWithin(wish.pickups, wish.walkMetres);
  const position = {
    pickupOffsetMs: 0,
    dropoffOffsetMs: 0,
    walkMs: 0,
    walkAfterMs: 0,
    extraMs: 0,
    freeSeats: 0,
    onBoardFromMs: 0,
    onBoardToMs: 0,
  };
  const tour: Tour = {
    plan,
    wish,
    drives,
    offsets,
    range,
    dropoffs: spotsWithin(wish.dropoffs, wish.walkMetres),
    before: [-Infinity, Infinity],
    position,
  };
  for (let a = 0; a < last; a++) {
    tour.before = range(0, a, 0);
    for (let p = 0; p < pickups; p++) {
      position.pickupOffsetMs = offsets[a]! + stops[a]!.standsMs + drives.toPickup(a, p);
      if (position.pickupOffsetMs === Infinity) continue;
      position.walkMs = wish.pickups[p]!.walkMs;
      if (visitDropoffs(tour, a, p, visit)) return;
    }
  }
}

/** The common measures of a pair, and the visited position. */
interface Tour {
  readonly plan: Plan;
  readonly wish: Wish;
  /** In traffic. */
  readonly drives: Drives;
  readonly offsets: readonly number[];
  readonly range: ReturnType<typeof windowRanges>;
  /** How many drop-off points are within the passenger's walk. */
  readonly dropoffs: number;
  /** The departures that suit those who are on board before the pick-up. */
  before: Range;
  readonly position: Position;
}

/**
 * Visits every drop-off for a pick-up after stop `a` at point `p`.
 * @returns whether a visit ended the tour.
 */
function visitDropoffs(
  { plan, wish, drives, offsets, range, dropoffs, before, position }: Tour,
  a: number,
  p: number,
  visit: (position: Position) => boolean | void,
): boolean {
  const { stops } = plan;
  const last = stops.length - 1;
  const durationMs = offsets[last]!;
  const onward = position.pickupOffsetMs + boardingMs;
  const lateMs = onward + drives.fromPickup(p, a + 1) - offsets[a + 1]!;
  position.freeSeats = Infinity;
  for (let b = a; b < last; b++) {
    position.freeSeats = Math.min(position.freeSeats, plan.seats - stops[b]!.seatsTaken);
    const leaves = a === b ? onward : offsets[b]! + lateMs + stops[b]!.standsMs;
    if (leaves === Infinity) break;
    const between = range(a + 1, b, lateMs);
    for (let d = 0; d < dropoffs; d++) {
      position.dropoffOffsetMs = leaves + (a === b ? drives.direct(p, d) : drives.toDropoff(b, d));
      const detourMs = position.dropoffOffsetMs + boardingMs + drives.fromDropoff(d, b + 1) - offsets[b + 1]!;
      if (detourMs === Infinity) continue;
      const after = range(b + 1, last, detourMs);
      position.walkAfterMs = wish.dropoffs[d]!.walkMs;
      position.extraMs = durationMs + detourMs - plan.aloneMs;
      position.onBoardFromMs = Math.max(before[0], between[0], after[0]);
      position.onBoardToMs = Math.min(before[1], between[1], after[1]);
      if (visit(position) === true) return true;
    }
  }
  return false;
}
