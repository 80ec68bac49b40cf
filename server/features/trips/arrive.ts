import type { App } from '../../app-type.ts';
import { countRide } from '../identity/service.ts';
import { carShares } from '../matching/service.ts';
import {
  rideMovedOn,
  type BookingRow,
  type By,
  moveRide,
  settleFares,
  moveBooking,
  settleRequest,
} from '../orders/service.ts';
import { asDriver, bookingOn, viewRide, type Scene } from './scene.ts';

/** The driver drops one passenger off, or ends the ride. */
export async function arrive(app: App, rideId: string, bookingId: string | undefined, driverId: string) {
  await asDriver(app, rideId, driverId, async (scene, by) => {
    if (bookingId !== undefined) {
      const booking = bookingOn(scene, bookingId);
      if (!scene.mayBooking(booking, 'driver').includes('dropOff')) throw rideMovedOn();
      await dropOff(app, scene, booking, by);
      return;
    }
    if (!scene.may.includes('arrive') && !scene.may.includes('endEmpty')) throw rideMovedOn();
    await endRide(app, scene, by);
  });
  return viewRide(app, rideId, driverId);
}

/** Ends a ride under way: passengers on board are dropped off and pay, and the spans are freed. */
export async function endRide(app: App, scene: Scene, by: By): Promise<void> {
  const { locked, ride, bookings } = scene;
  for (const booking of bookings.filter(({ state }) => state === 'picked'))
    await dropOff(app, scene, booking, by);
  const move = ride.state === 'ongoing' ? 'arrive' : 'endEmpty';
  moveRide(app, locked, ride, { move, by, set: { endedAt: app.clock.now() } });
  locked.spans.free(ride.id);
  const finished = bookings.filter(({ state }) => state === 'finished');
  if (finished.length === 0) return;
  settleFares(app, locked, finished, carShares(ride, finished, locked.bookingsOfRide(ride.id)));
  await countRide(await locked.db(), ride.driverId, sharedMetres(scene, finished));
}

async function dropOff(app: App, { locked, bookings }: Scene, booking: BookingRow, by: By): Promise<void> {
  const set = { endedAt: app.clock.now() };
  const moved = moveBooking(app, locked, booking, { move: 'dropOff', by, set });
  const request = locked.request(booking.requestId);
  await countRide(await locked.db(), booking.passengerId, request?.driveMetres ?? 0);
  bookings.splice(bookings.indexOf(booking), 1, moved);
  settleRequest(app, locked, moved.requestId);
}

/** The sum of the passengers' direct distances, in meters. */
const sharedMetres = ({ locked }: Scene, finished: readonly BookingRow[]): number =>
  finished.reduce((sum, { requestId }) => sum + (locked.request(requestId)?.driveMetres ?? 0), 0);
