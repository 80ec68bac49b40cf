import { openAskStates } from '#contract/rides/moves.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { bySystem, type By } from '../move-log.ts';
import type { BookingRow } from '../store.ts';
import { followLatePayment } from './booking-payment.ts';
import { onRide, type BookingContext } from './context.ts';
import { extendUnseen } from './count-from-message.ts';
import { isKept } from './guards.ts';
import { lockPair, type BookedPair } from './pair.ts';
import { payBy } from './rules/deadlines.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';

/**
 * The driver declines an ask, with a reason, or the passenger an invitation. Refuses `booking.reasonMissing`.
 */
export async function rejectBooking(
  context: BookingContext,
  bookingId: string,
  personId: string,
  reason: string,
) {
  const { orders } = context;
  const { booking, side } = await orders.ownBooking(bookingId, personId);
  if (side === 'driver' && reason === '')
    throw refuseField('booking.reasonMissing', 'reason', 'Please enter a reason.');
  await onRide(context, booking.rideId, async (locked) => {
    const move = side === 'driver' ? 'reject' : 'declineInvitation';
    const by: By = { actor: side, actorId: personId };
    await close(context, locked, await lockPair(locked, booking), { move, by, reason });
  });
  return { booking: await orders.bookingView(bookingId, personId) };
}

/** Withdraws one's own ask or invitation. */
export async function withdrawBooking(context: BookingContext, bookingId: string, personId: string) {
  const { orders } = context;
  const { booking, side } = await orders.ownBooking(bookingId, personId);
  await onRide(context, booking.rideId, async (locked) => {
    const move = side === 'passenger' ? 'withdraw' : 'withdrawInvitation';
    const by: By = { actor: side, actorId: personId };
    await close(context, locked, await lockPair(locked, booking), { move, by });
  });
  return { booking: await orders.bookingView(bookingId, personId) };
}

/**
 * Expires an ask or invitation after its deadline; does nothing before it, or while another transaction has
 * its ride. A seat reserved for a payment ends only once it is known that nothing is paid: until then, and at
 * most until departure, it is prolonged by a minute. So is an ask that could not have been seen.
 */
export async function expireBooking(context: BookingContext, bookingId: string): Promise<void> {
  const { platform, orders } = context;
  const isOver = ({ expiresAt, state }: BookingRow) =>
    expiresAt !== null && expiresAt <= platform.clock.now() && openAskStates.includes(state);
  const [seen] = await orders.bookingsByIds(platform.kept, [bookingId]);
  if (seen === undefined || !isOver(seen)) return;
  const isKnown = seen.awaits !== 'payment' || (await followLatePayment(context, bookingId));
  await onRide(context, seen.rideId, async (locked) => {
    if (!(await orders.claimRide(await locked.db(), seen.rideId))) return;
    const pair = await lockPair(locked, seen);
    if (!isOver(pair.booking)) return;
    const now = platform.clock.now();
    const { latestDepartsAt } = pair.ride;
    if (!isKnown && now < latestDepartsAt)
      return void locked.changeBooking(bookingId, { expiresAt: payBy(now, latestDepartsAt, 1) });
    if (await extendUnseen(context, locked, pair)) return;
    await close(context, locked, pair, { move: 'expire', by: bySystem });
  });
}

/** Ends open asks and invitations between two people, of whom one has blocked the other. */
export async function closeAsksBetween(context: BookingContext, a: string, b: string): Promise<void> {
  const { platform, orders } = context;
  for (const each of await orders.openAsksBetween(a, b))
    await changeOrders(platform, async (locked) => {
      const { booking } = await lockPair(locked, each);
      orders.settle.closeAsks(locked, [booking], { how: 'withdraw', reason: '' });
      orders.settle.booking(locked, booking);
    });
}

interface Closing {
  move: 'reject' | 'declineInvitation' | 'withdraw' | 'withdrawInvitation' | 'expire';
  by: By;
  reason?: string;
}

/** Ends a booking that was not joined, and frees the seat reserved for it. */
async function close(
  { orders, platform }: BookingContext,
  locked: LockedOrders,
  { ride, booking }: BookedPair,
  { move, by, reason }: Closing,
): Promise<void> {
  const set = { endedAt: platform.clock.now(), ...(reason === undefined ? {} : { reason }) };
  const note = reason === undefined ? {} : { note: reason };
  const moved = orders.moves.moveBooking(locked, booking, { move, by, set, ...note });
  if (isKept(booking)) orders.settle.leaveRoute(locked, ride, moved);
  orders.settle.booking(locked, moved);
}
