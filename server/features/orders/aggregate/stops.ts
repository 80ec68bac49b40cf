import type { Plan } from '../../matching/service.ts';
import type { StopRow } from './store.ts';

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
