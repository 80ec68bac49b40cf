import { gatherBeforeMs } from '#contract/rides/moves.ts';
import { later } from '../../platform/clock.ts';
import {
  askBothSides,
  ownBooking,
  followLatePayments,
  answerQuestion,
  bookingView,
  type RideRow,
  type LockedOrders,
} from '../orders/service.ts';
import type { TripContext } from './context.ts';
import type { Scene } from './scene.ts';

/** Whether the server was down between the hour before a departure and an instant after it. */
export const sawNothing = async (
  { platform }: TripContext,
  locked: LockedOrders,
  ride: RideRow,
  until: Date,
): Promise<boolean> =>
  platform.uptime.wasAway(await locked.db(), later(ride.departsAt, -gatherBeforeMs), until);

/** A step missing during an outage proves nothing: true where both sides are asked instead. */
export async function isAsked(
  context: TripContext,
  { locked, ride, bookings }: Scene,
  until: Date,
): Promise<boolean> {
  if (ride.unclearAt !== null) return true;
  return (
    (await sawNothing(context, locked, ride, until)) && askBothSides(context.platform, locked, ride, bookings)
  );
}

/** After an outage on the day of the ride: one side's answer whether it took place. */
export async function sayTookPlace(
  { platform }: TripContext,
  { bookingId, tookPlace }: { bookingId: string; tookPlace: boolean },
  personId: string,
) {
  const { booking, side } = await ownBooking(platform, bookingId, personId);
  await followLatePayments(platform, { rideIds: [booking.rideId] });
  await answerQuestion(platform, booking, side, tookPlace);
  return { booking: await bookingView(platform, bookingId, personId) };
}
