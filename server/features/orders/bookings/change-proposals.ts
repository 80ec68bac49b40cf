import { isAgreed } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import type { BookingRow } from '../store.ts';
import { pay } from './booking-payment.ts';
import type { BookingContext } from './context.ts';
import type { ChangeRow } from './store.ts';

export const proposalOver = () => movedOn('change.moved', 'This proposal is over. Please look again.');

/** Refuses `order.overlap`: the proposed time is taken by another order of the person. */
export const timeTaken = (field: string) =>
  refuseField(
    'order.overlap',
    field,
    'There is an existing ride at the same departure time, so choose a different time.',
  );

/** Those on board of a ride: a proposal needs the word of each. */
export const agreedOf = async ({ orders }: BookingContext, db: Db, rideId: string): Promise<BookingRow[]> =>
  (await orders.bookingsOf(db, { rideIds: [rideId] })).filter(isAgreed);

/** The pages of those concerned read the proposal again. @param byId who moved it; null for the clock. */
export async function tellChange(
  { platform }: BookingContext,
  tx: Db,
  { id, rideId, driverId, state }: ChangeRow,
  { agreed, byId }: { agreed: readonly BookingRow[]; byId: string | null },
): Promise<void> {
  const passengerIds = agreed.map(({ passengerId }) => passengerId);
  const moved = { changeId: id, rideId, to: state, driverId, passengerIds, byId };
  await platform.outbox.emit(tx, 'change.moved', moved, rideId);
}

/** Asks for the authorizations that an applied change needs, and lets their bookings follow. */
export async function payForChange(context: BookingContext, rideId: string): Promise<void> {
  const bookings = await context.orders.bookingsOf(context.platform.db, { rideIds: [rideId] });
  const waiting = bookings.filter(({ awaits }) => awaits === 'payment');
  await Promise.all(waiting.map(({ id }) => pay(context, id)));
}
