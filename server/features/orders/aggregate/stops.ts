import type { Plan } from '../../matching/service.ts';
import type { BookingRow, RequestRow, StopWithWindow } from '../queries.ts';
import type { StopRow } from './store.ts';

/** A stop with the windows of the passenger it serves; null for one of the driver's own. */
export const withWindow = (
  stop: StopRow,
  booking: BookingRow | null | undefined,
  request: RequestRow | null | undefined,
): StopWithWindow => ({
  ...stop,
  earliestAt: request?.earliestAt ?? null,
  latestAt: request?.latestAt ?? null,
  arriveBy: request?.arriveBy ?? null,
  pickupWalkMs: booking?.pickupWalkMs ?? null,
  dropoffWalkMs: booking?.dropoffWalkMs ?? null,
});

/** The rows of a plan's stops. */
export function stopsOfPlan(rideId: string, plan: Plan): StopRow[] {
  let atMs = plan.departsMs;
  return plan.stops.map((stop, position) => {
    const at = new Date(atMs);
    atMs += stop.standsMs + stop.toNextMs;
    const { kind, bookingId, lon, lat, standsMs, toNextMs, toNextMetres, seatsTaken } = stop;
    return {
      rideId,
      position,
      kind,
      bookingId,
      lon,
      lat,
      at,
      standsMs,
      toNextMs,
      toNextMetres,
      seatsTaken,
      seats: plan.seats,
    };
  });
}
