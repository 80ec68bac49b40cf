import { comingStates, openAskStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { movedOn, Refusal } from '../../platform/refusal.ts';
import { countRide } from '../identity/service.ts';
import { carShares } from '../matching/service.ts';
import {
  bySystem,
  rideMovedOn,
  type By,
  rideById,
  followLatePayments,
  passStop as savePassedStop,
  moveRide,
  closeAsks,
  settleRequests,
  moveBooking,
  settleRide,
  type BookingRow,
  settleFares,
  settleRequest,
} from '../orders/service.ts';
import { asDriver, viewRide, type Scene, bookingOn } from './scene.ts';

/**
 * The driver leaves the starting point; open asks end. Refuses `ride.passengersWaiting` while a passenger who
 * boards there is neither on board nor missed, and `order.tooEarly`.
 */
export async function depart(app: App, rideId: string, driverId: string) {
  // A passenger who has paid in time is taken along, even if the provider's event is late.
  if ((await rideById(app.db, rideId))?.driverId === driverId)
    await followLatePayments(app, { rideIds: [rideId] });
  await asDriver(app, rideId, driverId, async (scene, by) => {
    const { ride, bookings } = scene;
    if (ride.state !== 'driver reached') throw rideMovedOn();
    if (bookings.some((booking) => comingStates.includes(booking.state) && scene.boardsAtStart(booking)))
      throw movedOn('ride.passengersWaiting', 'A rider at the starting point isn’t on board yet.');
    if (!scene.may.includes('depart'))
      throw new Refusal('order.tooEarly', 'You can leave 5 minutes before the agreed time.', {
        code: 409,
      });
    await leaveStart(app, scene, by);
  });
  return viewRide(app, rideId, driverId);
}

/** The driver leaves one of their own stops, the first being 1; idempotent. */
export async function passStop(app: App, rideId: string, stop: number, driverId: string) {
  await asDriver(app, rideId, driverId, async ({ locked }) => {
    if (!(await savePassedStop(await locked.db(), rideId, stop))) throw rideMovedOn();
  });
  return viewRide(app, rideId, driverId);
}

/** Leaves the starting point; closes asks that are still open. */
export async function leaveStart(app: App, { locked, ride, bookings }: Scene, by: By): Promise<void> {
  moveRide(app, locked, ride, { move: 'depart', by, set: { departedAt: app.clock.now() } });
  closeAsks(app, locked, bookings, { how: 'expire', reason: 'departed' });
  settleRequests(
    app,
    locked,
    bookings.filter(({ state }) => openAskStates.includes(state)),
  );
  for (const booking of bookings.filter(({ state }) => state === 'joined'))
    moveBooking(app, locked, booking, { move: 'gather', by: bySystem });
  settleRide(app, locked, ride.id);
}

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
