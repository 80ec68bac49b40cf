import type { Travel } from '#roads/network.ts';
import { boardingMs, offsetsOf, type Plan, type PlanStop } from './plan.ts';

/** What a passenger needs of a ride. Instants are milliseconds since 1970. */
export interface Wish {
  seats: number;
  pickup: { lon: number; lat: number };
  dropoff: { lon: number; lat: number };
  /** Pick-up not before and not after; drop-off not after. */
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
  /** The drive from pick-up to drop-off without a stop. */
  direct: Travel;
}

/** Drives between the stops of a plan and the two places of a wish; null where no road leads. */
export interface Drives {
  toPickup(stop: PlanStop): Travel | null;
  fromPickup(stop: PlanStop): Travel | null;
  toDropoff(stop: PlanStop): Travel | null;
  fromDropoff(stop: PlanStop): Travel | null;
}

/** Where a pick-up and a drop-off go in a plan, and what that means. */
export interface Insertion {
  /** The pick-up comes after this stop of the plan as it stands, the drop-off after that one. */
  pickupAfter: number;
  dropoffAfter: number;
  departsMs: number;
  pickupMs: number;
  dropoffMs: number;
  arrivesMs: number;
  /** What this booking adds to the plan as it stands. */
  detourMs: number;
  detourMetres: number;
  drives: { toPickup: Travel; afterPickup: Travel; toDropoff: Travel; afterDropoff: Travel };
}

/**
 * The cheapest place for a passenger in a ride, or null when there is none: every position of the pick-up and of the
 * drop-off is tried. A position fits when each leg between them has the seats, everybody's windows can be kept by one
 * departure within the driver's limits, and the driver's extra minutes over driving alone, all passengers counted,
 * stay within the ride's maximum detour. Cheapest is the shortest total time, then the fewest metres, then the earliest
 * positions.
 */
export function bestInsertion(plan: Plan, wish: Wish, drives: Drives): Insertion | null {
  const { stops } = plan;
  const offsets = offsetsOf(stops);
  const last = stops.length - 1;
  const duration = offsets[last] ?? 0;
  const range = windowRanges(stops, offsets);
  let best: (Insertion & { totalMs: number }) | null = null;

  for (let a = 0; a < last; a++) {
    const stopA = stops[a]!;
    if (stopA.seatsTaken + wish.seats > plan.seats) continue;
    const toPickup = drives.toPickup(stopA);
    if (toPickup === null) continue;
    const pickupOffset = offsets[a]! + stopA.standsMs + toPickup.milliseconds;
    const onward = pickupOffset + boardingMs;
    const afterPickup = drives.fromPickup(stops[a + 1]!);
    // Once on board, stops up to the drop-off are late by this much.
    const lateMs = afterPickup === null ? null : onward + afterPickup.milliseconds - offsets[a + 1]!;

    for (let b = a; b < last; b++) {
      const stopB = stops[b]!;
      if (stopB.seatsTaken + wish.seats > plan.seats) break;
      if (b > a && lateMs === null) break;
      const toDropoff = a === b ? wish.direct : drives.toDropoff(stopB);
      const afterDropoff = drives.fromDropoff(stops[b + 1]!);
      if (toDropoff === null || afterDropoff === null) continue;
      const dropoffOffset =
        (a === b ? onward : offsets[b]! + lateMs! + stopB.standsMs) + toDropoff.milliseconds;
      const detourMs = dropoffOffset + boardingMs + afterDropoff.milliseconds - offsets[b + 1]!;
      if (duration + detourMs - plan.aloneMs > plan.maxDetourMs) continue;

      const before = range(0, a, 0);
      const between = a === b ? everything : range(a + 1, b, lateMs!);
      const after = range(b + 1, last, detourMs);
      const from = Math.max(
        plan.earliestDepartsMs,
        before[0],
        between[0],
        after[0],
        wish.earliestMs - pickupOffset,
      );
      const to = Math.min(
        plan.latestDepartsMs,
        before[1],
        between[1],
        after[1],
        wish.latestMs - pickupOffset,
        wish.arriveByMs - dropoffOffset,
      );
      if (from > to) continue;

      const detourMetres =
        a === b
          ? toPickup.metres + toDropoff.metres + afterDropoff.metres - stopA.toNextMetres
          : toPickup.metres +
            afterPickup!.metres -
            stopA.toNextMetres +
            toDropoff.metres +
            afterDropoff.metres -
            stopB.toNextMetres;
      const better =
        best === null ||
        detourMs < best.detourMs ||
        (detourMs === best.detourMs && detourMetres < best.detourMetres);
      if (!better) continue;
      // The agreed departure is kept where it can be.
      const departsMs = Math.min(Math.max(plan.departsMs, from), to);
      best = {
        pickupAfter: a,
        dropoffAfter: b,
        departsMs,
        pickupMs: departsMs + pickupOffset,
        dropoffMs: departsMs + dropoffOffset,
        arrivesMs: departsMs + duration + detourMs,
        detourMs,
        detourMetres,
        drives: { toPickup, afterPickup: a === b ? wish.direct : afterPickup!, toDropoff, afterDropoff },
        totalMs: duration + detourMs,
      };
    }
  }
  if (best === null) return null;
  const { totalMs: _total, ...insertion } = best;
  return insertion;
}

/** The plan with the booking in it. */
export function withBooking(plan: Plan, wish: Wish, insertion: Insertion, bookingId: string): Plan {
  const { pickupAfter, dropoffAfter, drives } = insertion;
  const stand = { bookingId, standsMs: boardingMs };
  const leg = (travel: Travel) => ({ toNextMs: travel.milliseconds, toNextMetres: travel.metres });
  const stops: PlanStop[] = [];
  for (const [position, stop] of plan.stops.entries()) {
    const carries = position > pickupAfter && position <= dropoffAfter;
    const seatsTaken = stop.seatsTaken + (carries ? wish.seats : 0);
    const isBeforePickup = position === pickupAfter;
    const isBeforeDropoff = position === dropoffAfter && !isBeforePickup;
    stops.push({
      ...stop,
      seatsTaken,
      ...(isBeforePickup ? leg(drives.toPickup) : isBeforeDropoff ? leg(drives.toDropoff) : {}),
    });
    if (isBeforePickup) {
      stops.push({
        ...stand,
        kind: 'pickup',
        ...wish.pickup,
        seatsTaken: stop.seatsTaken + wish.seats,
        earliestMs: wish.earliestMs,
        latestMs: wish.latestMs,
        ...leg(drives.afterPickup),
      });
    }
    if (position === dropoffAfter) {
      stops.push({
        ...stand,
        kind: 'dropoff',
        ...wish.dropoff,
        seatsTaken: stop.seatsTaken,
        earliestMs: -Infinity,
        latestMs: wish.arriveByMs,
        ...leg(drives.afterDropoff),
      });
    }
  }
  return { ...plan, stops, departsMs: insertion.departsMs };
}

export type Range = readonly [from: number, to: number];
const everything: Range = [-Infinity, Infinity];

/** The departures at which the stops `first` to `last` keep their windows if they are reached `lateMs` later than planned. */
export function windowRanges(stops: readonly PlanStop[], offsets: readonly number[]) {
  const minds = stops.some((stop) => stop.earliestMs !== -Infinity || stop.latestMs !== Infinity);
  return (first: number, last: number, lateMs: number): Range => {
    if (!minds) return everything;
    let from = -Infinity;
    let to = Infinity;
    for (let position = first; position <= last; position++) {
      const stop = stops[position]!;
      from = Math.max(from, stop.earliestMs - offsets[position]! - lateMs);
      to = Math.min(to, stop.latestMs - offsets[position]! - lateMs);
    }
    return [from, to];
  };
}
