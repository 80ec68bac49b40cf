import { randomUUID } from 'node:crypto';
import { endedRideStates, seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { movedOn, notFound } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { peopleByIds } from '../identity/service.ts';
import { orderNotFound, rideById, rideViews } from '../orders/service.ts';
import type { insertShare } from './store.ts';

export const shareNotFound = () => notFound('share.notFound', 'This link no longer works.');

/** A ride of its driver or of one of its passengers; the driver has no booking. */
export interface OwnTrip {
  ride: Ride;
  booking: Booking | null;
}

/** The ride, for its driver or one of its passengers. Refuses all others with `order.notFound`. */
export async function ownTrip(app: App, rideId: string, personId: string): Promise<OwnTrip> {
  const row = await rideById(app.db, rideId);
  const ride = row === null ? undefined : (await rideViews(app, [row], personId))[0];
  const booking = ride?.bookings.findLast(({ state }) => seatedStates.includes(state)) ?? null;
  if (ride === undefined || (!ride.mine && ride.bookings.length === 0)) throw orderNotFound();
  return { ride, booking: ride.mine ? null : booking };
}

/** Whether the ride has not ended for this person. */
export const isOn = ({ ride, booking }: OwnTrip): boolean =>
  !endedRideStates.includes(ride.state) && (ride.mine || booking !== null);

/**
 * The ride of a person who is on it. Refuses `order.notFound`, and `share.notRiding` once it is over for
 * them.
 */
export async function tripOn(app: App, rideId: string, personId: string): Promise<OwnTrip> {
  const trip = await ownTrip(app, rideId, personId);
  if (!isOn(trip)) throw movedOn('share.notRiding', 'You’re not on this ride.');
  return trip;
}

export const nameOf = async (app: App, personId: string): Promise<string> =>
  (await peopleByIds(app, [personId])).get(personId)?.name ?? '';

/**
 * A link to a trip: the row to store, with only a hash of the secret, and the path that contains the secret.
 */
export function newShare(
  app: App,
  of: { rideId: string; ownerId: string; toId: string | null },
): { row: Parameters<typeof insertShare>[1]; path: string } {
  const secret = newSecret();
  const row = { id: randomUUID(), ...of, secretHash: hashSecret(secret), createdAt: app.clock.now() };
  return { row, path: `/pages/order/shared?code=${secret}` };
}
