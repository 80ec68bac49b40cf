import { isAgreed } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { bookingsOf, type BookingRow } from '../store.ts';
import { pay } from './booking-payment.ts';
import type { ChangeRow } from './store.ts';

export const proposalOver = () => movedOn('change.moved', 'This proposal is over. Please check again.');

/** Refuses `order.overlap`: the person has another order at the proposed time. */
export const timeTaken = (field: string) =>
  refuseField(
    'order.overlap',
    field,
    'There is an existing ride at the same departure time, so choose a different time.',
  );

/** The passengers on board of a ride: each must accept a proposal. */
export const agreedOf = (locked: LockedOrders, rideId: string): BookingRow[] =>
  locked.bookingsOfRide(rideId).filter(isAgreed);

/**
 * Signals the pages of those concerned to reload the proposal. @param byId who moved it; null for the
 * scheduler.
 */
export function tellChange(
  locked: LockedOrders,
  { id, rideId, driverId, state }: ChangeRow,
  { agreed, byId }: { agreed: readonly BookingRow[]; byId: string | null },
): void {
  const passengerIds = agreed.map(({ passengerId }) => passengerId);
  const moved = { changeId: id, rideId, to: state, driverId, passengerIds, byId };
  locked.emit('change.moved', moved, rideId);
}

/** Requests the authorizations that an applied change needs, and moves their bookings. */
export async function payForChange(app: App, rideId: string): Promise<void> {
  const bookings = await bookingsOf(app.db, { rideIds: [rideId] });
  const waiting = bookings.filter(({ awaits }) => awaits === 'payment');
  await Promise.all(waiting.map(({ id }) => pay(app, id)));
}
