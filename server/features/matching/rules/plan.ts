import type { Travel } from '#roads/graph/network.ts';
import { inTraffic } from '#roads/graph/traffic.ts';

/** How long boarding or getting out takes, and a stop of the driver's own. */
export const boardingMs = 60_000;

/** A place where the car stops, with the drive that follows. */
export interface PlanStop {
  kind: 'start' | 'via' | 'pickup' | 'dropoff' | 'end';
  bookingId: string | null;
  lon: number;
  lat: number;
  /** How long the car stops here before it drives on. */
  standsMs: number;
  /** The drive to the next stop, in traffic; 0 at the last. */
  toNextMs: number;
  toNextMetres: number;
  /** Seats taken on the way to the next stop. */
  seatsTaken: number;
  /** Milliseconds since 1970 between which the car must be here; infinite where there is no limit. */
  earliestMs: number;
  latestMs: number;
}

/** A ride's agreed route and its limits for change. Instants are milliseconds since 1970. */
export interface Plan {
  stops: readonly PlanStop[];
  seats: number;
  departsMs: number;
  /** The driver's own limits for leaving. */
  earliestDepartsMs: number;
  latestDepartsMs: number;
  /**
   * The traffic of every drive of the ride, in permille of a free road: at least 1000, one figure for the
   * whole ride. Routed drives are free ones; every rule here multiplies them by it, and `toNextMs` and
   * `aloneMs` include it already.
   */
  trafficPermille: number;
  /** The driver's drive alone, stops on the way included. */
  aloneMs: number;
  maxDetourMs: number;
  /** A mask of `rules/preferences.ts`. */
  preferences: number;
}

/** A stop of the driver's own, with the free drive to the next one or to the end. */
export interface Via {
  lon: number;
  lat: number;
  drive: Pick<Travel, 'milliseconds' | 'metres'>;
}

/** Milliseconds from departure to the arrival at each stop. */
export function offsetsOf(stops: readonly PlanStop[]): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const stop of stops) {
    offsets.push(offset);
    offset += stop.standsMs + stop.toNextMs;
  }
  return offsets;
}

/**
 * The plan of a driver alone.
 * @param ride.drive the free drive to the first stop of the driver's own, or to the end.
 */
export function planAlone(ride: {
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  drive: Pick<Travel, 'milliseconds' | 'metres'>;
  via?: readonly Via[];
  preferences?: number;
  seats: number;
  earliestDepartsMs: number;
  latestDepartsMs: number;
  trafficPermille: number;
  maxDetourMs: number;
}): Plan {
  const stop = { bookingId: null, standsMs: 0, seatsTaken: 0, earliestMs: -Infinity, latestMs: Infinity };
  const { via = [], preferences = 0, trafficPermille } = ride;
  const leg = (drive: Via['drive']) => ({
    toNextMs: inTraffic(drive.milliseconds, trafficPermille),
    toNextMetres: drive.metres,
  });
  const stops: PlanStop[] = [
    { ...stop, kind: 'start', ...lonLat(ride.from), ...leg(ride.drive) },
    ...via.map((each) => ({
      ...stop,
      kind: 'via' as const,
      ...lonLat(each),
      standsMs: boardingMs,
      ...leg(each.drive),
    })),
    { ...stop, kind: 'end', ...lonLat(ride.to), toNextMs: 0, toNextMetres: 0 },
  ];
  return {
    stops,
    seats: ride.seats,
    departsMs: ride.earliestDepartsMs,
    earliestDepartsMs: ride.earliestDepartsMs,
    latestDepartsMs: ride.latestDepartsMs,
    trafficPermille,
    aloneMs: offsetsOf(stops).at(-1)!,
    maxDetourMs: ride.maxDetourMs,
    preferences,
  };
}

/**
 * The plan without one booking. The agreed times of the others do not change: the time gained before another
 * passenger's stop is spent waiting there, the time gained after the last one brings the driver home sooner.
 * @param travel the free drive between two stops that become neighbors.
 */
export function withoutBooking(
  plan: Plan,
  bookingId: string,
  travel: (from: PlanStop, to: PlanStop) => Travel,
): Plan {
  const seats = seatsOf(plan, bookingId);
  const agreed = offsetsOf(plan.stops);
  const pickup = plan.stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === 'pickup');
  const dropoff = plan.stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === 'dropoff');
  const kept = plan.stops.flatMap((stop, position) =>
    stop.bookingId === bookingId
      ? []
      : [
          {
            ...stop,
            position,
            seatsTaken: stop.seatsTaken - (position >= pickup && position < dropoff ? seats : 0),
          },
        ],
  );
  const othersRide = kept.some((stop) => stop.bookingId !== null);
  let offset = 0;
  const stops = kept.map(({ position, ...stop }, index): PlanStop => {
    const next = kept[index + 1];
    if (next === undefined) return stop;
    const drive =
      next.position === position + 1
        ? { milliseconds: stop.toNextMs, metres: stop.toNextMetres }
        : driveInTraffic(travel(stop, next), plan.trafficPermille);
    const stands = stop.kind === 'start' ? 0 : boardingMs;
    const early = (agreed[next.position] ?? 0) - (offset + stands + drive.milliseconds);
    const standsMs = stands + (othersRide && next.bookingId !== null ? Math.max(0, early) : 0);
    offset += standsMs + drive.milliseconds;
    return { ...stop, standsMs, toNextMs: drive.milliseconds, toNextMetres: drive.metres };
  });
  return { ...plan, stops };
}

/** Seats that a booking takes, read from the legs around its pick-up. */
function seatsOf(plan: Plan, bookingId: string): number {
  const pickup = plan.stops.findIndex((stop) => stop.bookingId === bookingId && stop.kind === 'pickup');
  const before = plan.stops[pickup - 1];
  const at = plan.stops[pickup];
  if (before === undefined || at === undefined) throw new Error(`booking ${bookingId} is not on the plan`);
  return at.seatsTaken - before.seatsTaken;
}

/**
 * The plan at another hour of the day: the same stops in the same order, each drive in that hour's traffic.
 * @param travel the free drive between two stops.
 */
export function inOtherTraffic(
  plan: Plan,
  trafficPermille: number,
  travel: (from: PlanStop, to: PlanStop) => Travel,
): Plan {
  const msBetween = (from: PlanStop, to: PlanStop) =>
    inTraffic(travel(from, to).milliseconds, trafficPermille);
  const stops = plan.stops.map((stop, position) => {
    const next = plan.stops[position + 1];
    return { ...stop, toNextMs: next === undefined ? 0 : msBetween(stop, next) };
  });
  const own = plan.stops.filter(({ bookingId }) => bookingId === null);
  const aloneMs = own.slice(1).reduce((sum, stop, before) => {
    const stands = before === 0 ? 0 : boardingMs;
    return sum + stands + msBetween(own[before]!, stop);
  }, 0);
  return { ...plan, trafficPermille, stops, aloneMs };
}

/** A free drive converted to the traffic of a ride. */
export const driveInTraffic = <T extends Pick<Travel, 'milliseconds'>>(free: T, permille: number): T => ({
  ...free,
  milliseconds: inTraffic(free.milliseconds, permille),
});

const lonLat = ({ lon, lat }: { lon: number; lat: number }) => ({ lon, lat });
