import type { OutputOf } from '#contract/define.ts';
import { onTheWayRideStates } from '#contract/rides/moves.ts';
import type { SharedTrip, watchTrip as watchCall } from '#contract/safety/endpoints.ts';
import type { App } from '../../app-type.ts';
import { Refusal } from '../../platform/refusal.ts';
import { hashSecret } from '../../platform/security/session.ts';
import { whereIsCar } from '../trips/service.ts';
import { isOn, nameOf, ownTrip, shareNotFound, type OwnTrip } from './own-trip.ts';
import * as store from './store.ts';

/** The trip as the holder of a link sees it, while it lasts. Refuses `share.notFound`. */
export async function watchTrip(app: App, code: string): Promise<OutputOf<typeof watchCall>> {
  const share = await store.shareBySecret(app.db, hashSecret(code));
  if (share === null) throw shareNotFound();
  const { rideId, ownerId } = share;
  const name = await nameOf(app, ownerId);
  const trip = await ownTrip(app, rideId, ownerId).catch((error: unknown) => {
    // A trip that its owner may no longer see is over. Any other failure is shown: it must not look like a
    // safe arrival.
    if (error instanceof Refusal && error.code === 404) return null;
    throw error;
  });
  if (trip === null || !isOn(trip)) return { name, trip: null };
  const { position } = await whereIsCar(app, rideId, ownerId);
  return { name, trip: viewTrip(trip, position) };
}

function viewTrip(
  { ride, booking }: OwnTrip,
  position: Awaited<ReturnType<typeof whereIsCar>>['position'],
): SharedTrip {
  const [from, to] = booking === null ? [ride.from, ride.to] : [booking.pickup, booking.dropoff];
  const arrival = position?.arrivals.find(({ kind, bookingId }) =>
    booking === null ? kind === 'end' : kind === 'dropoff' && bookingId === booking.id,
  );
  const spot = ({ name, lon, lat }: SharedTrip['from']): SharedTrip['from'] => ({ name, lon, lat });
  const { vehicle } = ride;
  return {
    driverName: ride.driver.name,
    vehicle:
      vehicle === null
        ? null
        : { brand: vehicle.brand, model: vehicle.model, color: vehicle.color, plate: vehicle.plate },
    onBoard: booking === null ? onTheWayRideStates.includes(ride.state) : booking.state === 'picked',
    from: spot(from),
    to: spot(to),
    timeZone: ride.timeZone,
    plannedAt: booking === null ? ride.arrivesAt : booking.dropoff.at,
    expectedAt: arrival?.at ?? null,
    car: position === null ? null : { lon: position.lon, lat: position.lat, at: position.at },
  };
}
