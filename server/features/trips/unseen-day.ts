import { gatherBeforeMs } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import {
  askBothSides,
  ownBooking,
  concludeOverdue,
  followLatePayments,
  answerQuestion,
  bookingView,
  type RideRow,
  type LockedOrders,
} from '../orders/service.ts';
import type { Scene } from './scene.ts';

/** Whether the server was down between the hour before a departure and an instant after it. */
export const sawNothing = async (
  app: App,
  locked: LockedOrders,
  ride: RideRow,
  until: Date,
): Promise<boolean> => app.uptime.wasAway(await locked.db(), later(ride.departsAt, -gatherBeforeMs), until);

/** A step missing during an outage proves nothing: true where both sides are asked instead. */
export async function isAsked(app: App, { locked, ride, bookings }: Scene, until: Date): Promise<boolean> {
  if (ride.unclearAt !== null) return true;
  return (await sawNothing(app, locked, ride, until)) && askBothSides(app, locked, ride, bookings);
}

/** After an outage on the day of the ride: one side's answer whether it took place. */
export async function sayTookPlace(
  app: App,
  { bookingId, tookPlace }: { bookingId: string; tookPlace: boolean },
  personId: string,
) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  await followLatePayments(app, { rideIds: [booking.rideId] });
  await answerQuestion(app, booking, side, tookPlace);
  return { booking: await bookingView(app, bookingId, personId) };
}

/** Concludes a ride whose deadline for answers is over, after payments that are late have been read. */
export async function concludeUnclear(app: App, rideId: string): Promise<void> {
  await followLatePayments(app, { rideIds: [rideId] });
  await concludeOverdue(app, rideId);
}
