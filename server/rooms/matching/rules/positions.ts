import { windowRanges, type Drives, type Range, type Wish } from './insertion.ts';
import { boardingMs, offsetsOf, type Plan } from './plan.ts';

/** One way to put a passenger into a plan, measured and not judged. */
export interface Position {
  /** Milliseconds from departure to pick-up and to drop-off. */
  pickupOffsetMs: number;
  dropoffOffsetMs: number;
  /** The driver's extra minutes over driving alone, everybody counted. */
  extraMs: number;
  /** Seats free on every leg the passenger would ride. */
  freeSeats: number;
  /** The departures that keep the windows of those on board. */
  onBoard: Range;
}

/** Every position of a pick-up and a drop-off that roads lead to; `bestInsertion` judges the same ones. */
export function* positionsOf(plan: Plan, wish: Wish, drives: Drives): Generator<Position> {
  const { stops } = plan;
  const offsets = offsetsOf(stops);
  const last = stops.length - 1;
  const duration = offsets[last] ?? 0;
  const range = windowRanges(stops, offsets);
  for (let a = 0; a < last; a++) {
    const toPickup = drives.toPickup(stops[a]!);
    if (toPickup === null) continue;
    const pickupOffsetMs = offsets[a]! + stops[a]!.standsMs + toPickup.milliseconds;
    const onward = pickupOffsetMs + boardingMs;
    const afterPickup = drives.fromPickup(stops[a + 1]!);
    let freeSeats = Infinity;
    for (let b = a; b < last; b++) {
      freeSeats = Math.min(freeSeats, plan.seats - stops[b]!.seatsTaken);
      if (b > a && afterPickup === null) break;
      const lateMs = b === a ? 0 : onward + afterPickup!.milliseconds - offsets[a + 1]!;
      const toDropoff = a === b ? wish.direct : drives.toDropoff(stops[b]!);
      const afterDropoff = drives.fromDropoff(stops[b + 1]!);
      if (toDropoff === null || afterDropoff === null) continue;
      const dropoffOffsetMs =
        (a === b ? onward : offsets[b]! + lateMs + stops[b]!.standsMs) + toDropoff.milliseconds;
      const detourMs = dropoffOffsetMs + boardingMs + afterDropoff.milliseconds - offsets[b + 1]!;
      const ranges = [range(0, a, 0), range(a + 1, b, lateMs), range(b + 1, last, detourMs)];
      yield {
        pickupOffsetMs,
        dropoffOffsetMs,
        extraMs: duration + detourMs - plan.aloneMs,
        freeSeats,
        onBoard: [Math.max(...ranges.map(([from]) => from)), Math.min(...ranges.map(([, to]) => to))],
      };
    }
  }
}
