import { gatherBeforeMs } from '#contract/rides/moves.ts';
import { later } from '../../platform/clock.ts';
import type { RideRow } from '../orders/service.ts';
import type { TripContext } from './context.ts';
import type { Scene } from './scene.ts';
import type { LockedOrders } from '../orders/service.ts';

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
    (await sawNothing(context, locked, ride, until)) && context.orders.unclear.ask(locked, ride, bookings)
  );
}

/** After an outage on the day of the ride: one side's answer whether it took place. */
export async function sayTookPlace(
  { orders }: TripContext,
  { bookingId, tookPlace }: { bookingId: string; tookPlace: boolean },
  personId: string,
) {
  const { booking, side } = await orders.ownBooking(bookingId, personId);
  await orders.bookings.followLatePayments({ rideIds: [booking.rideId] });
  await orders.unclear.answer(booking, side, tookPlace);
  return { booking: await orders.bookingView(bookingId, personId) };
}
