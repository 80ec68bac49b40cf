import { gatherBeforeMs } from '#contract/rides/moves.ts';
import { later } from '../../platform/clock.ts';
import type { RideRow } from '../orders/service.ts';
import type { TripContext } from './context.ts';
import type { Scene } from './scene.ts';
import type { LockedOrders } from '../orders/service.ts';

/** Whether the server was down between the hour before a departure and an instant after it. */
export const sawNothing = async (
  { platform }: TripContext,
  tx: LockedOrders,
  ride: RideRow,
  until: Date,
): Promise<boolean> => platform.uptime.wasAway(await tx.db(), later(ride.departsAt, -gatherBeforeMs), until);

/** A step missing during an outage proves nothing: true where both sides are asked instead. */
export async function isAsked(
  context: TripContext,
  { tx, ride, bookings }: Scene,
  until: Date,
): Promise<boolean> {
  if (ride.unclearAt !== null) return true;
  return (await sawNothing(context, tx, ride, until)) && context.orders.unclear.ask(tx, ride, bookings);
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
