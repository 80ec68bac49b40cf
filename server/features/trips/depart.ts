import { comingStates, openAskStates } from '#contract/rides/moves.ts';
import { movedOn, Refusal } from '../../platform/refusal.ts';
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
} from '../orders/service.ts';
import type { TripContext } from './context.ts';
import { asDriver, viewRide, type Scene } from './scene.ts';

/**
 * The driver leaves the starting point; open asks end. Refuses `ride.passengersWaiting` while a passenger who
 * boards there is neither on board nor missed, and `order.tooEarly`.
 */
export async function depart(context: TripContext, rideId: string, driverId: string) {
  // A passenger who has paid in time is taken along, even if the provider's event is late.
  if ((await rideById(context.platform.db, rideId))?.driverId === driverId)
    await followLatePayments(context.platform, { rideIds: [rideId] });
  await asDriver(context, rideId, driverId, async (scene, by) => {
    const { ride, bookings } = scene;
    if (ride.state !== 'driver reached') throw rideMovedOn();
    if (bookings.some((booking) => comingStates.includes(booking.state) && scene.boardsAtStart(booking)))
      throw movedOn('ride.passengersWaiting', 'A rider at the starting point isn’t on board yet.');
    if (!scene.may.includes('depart'))
      throw new Refusal('order.tooEarly', 'You can leave 5 minutes before the agreed time.', {
        code: 409,
      });
    await leaveStart(context, scene, by);
  });
  return viewRide(context, rideId, driverId);
}

/** The driver leaves one of their own stops, the first being 1; idempotent. */
export async function passStop(context: TripContext, rideId: string, stop: number, driverId: string) {
  await asDriver(context, rideId, driverId, async ({ locked }) => {
    if (!(await savePassedStop(await locked.db(), rideId, stop))) throw rideMovedOn();
  });
  return viewRide(context, rideId, driverId);
}

/** Leaves the starting point; closes asks that are still open. */
export async function leaveStart(
  { platform }: TripContext,
  { locked, ride, bookings }: Scene,
  by: By,
): Promise<void> {
  moveRide(platform, locked, ride, { move: 'depart', by, set: { departedAt: platform.clock.now() } });
  closeAsks(platform, locked, bookings, { how: 'expire', reason: 'departed' });
  settleRequests(
    platform,
    locked,
    bookings.filter(({ state }) => openAskStates.includes(state)),
  );
  for (const booking of bookings.filter(({ state }) => state === 'joined'))
    moveBooking(platform, locked, booking, { move: 'gather', by: bySystem });
  settleRide(platform, locked, ride.id);
}
