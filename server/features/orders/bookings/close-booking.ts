import { openAskStates, openRequestStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { changeOrders, type LockedOrders, changeOrdersIn } from '../aggregate/locked-orders.ts';
import { bookingsByIds } from '../aggregate/queries.ts';
import { closeAsks, settleBooking, leaveRoute } from '../decide/cascade.ts';
import { bySystem, type By } from '../decide/move-log.ts';
import { moveBooking, moveRequest } from '../decide/moves.ts';
import { ownBooking, bookingView } from '../order-views.ts';
import { claimRide, openAsksBetween, type BookingRow, claimRequest } from '../store.ts';
import { followLatePayment, followLatePayments } from './booking-payment.ts';
import { isKept, onRide, lockPair, type BookedPair } from './pair.ts';
import { payBy, answerBy, waitUntil } from './rules/deadlines.ts';

/**
 * The driver declines an ask, with a reason, or the passenger an invitation. Refuses `booking.reasonMissing`.
 */
export async function rejectBooking(app: App, bookingId: string, personId: string, reason: string) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  if (side === 'driver' && reason === '')
    throw refuseField('booking.reasonMissing', 'reason', 'Please enter a reason.');
  await onRide(app, booking.rideId, async (locked) => {
    const move = side === 'driver' ? 'reject' : 'declineInvitation';
    const by: By = { actor: side, actorId: personId };
    await close(app, locked, await lockPair(locked, booking), { move, by, reason });
  });
  return { booking: await bookingView(app, bookingId, personId) };
}

/** Withdraws one's own ask or invitation. */
export async function withdrawBooking(app: App, bookingId: string, personId: string) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  await onRide(app, booking.rideId, async (locked) => {
    const move = side === 'passenger' ? 'withdraw' : 'withdrawInvitation';
    const by: By = { actor: side, actorId: personId };
    await close(app, locked, await lockPair(locked, booking), { move, by });
  });
  return { booking: await bookingView(app, bookingId, personId) };
}

/**
 * Expires an ask or invitation after its deadline; does nothing before it, or while another transaction has
 * its ride. A seat reserved for a payment ends only once it is known that nothing is paid: until then, and at
 * most until departure, it is prolonged by a minute. So is an ask that could not have been seen.
 */
export async function expireBooking(app: App, bookingId: string): Promise<void> {
  const isOver = ({ expiresAt, state }: BookingRow) =>
    expiresAt !== null && expiresAt <= app.clock.now() && openAskStates.includes(state);
  const [seen] = await bookingsByIds(app.kept, [bookingId]);
  if (seen === undefined || !isOver(seen)) return;
  const isKnown = seen.awaits !== 'payment' || (await followLatePayment(app, bookingId));
  await onRide(app, seen.rideId, async (locked) => {
    if (!(await claimRide(await locked.db(), seen.rideId))) return;
    const pair = await lockPair(locked, seen);
    if (!isOver(pair.booking)) return;
    const now = app.clock.now();
    const { latestDepartsAt } = pair.ride;
    if (!isKnown && now < latestDepartsAt)
      return void locked.changeBooking(bookingId, { expiresAt: payBy(now, latestDepartsAt, 1) });
    if (await extendUnseen(app, locked, pair)) return;
    await close(app, locked, pair, { move: 'expire', by: bySystem });
  });
}

/** Ends open asks and invitations between two people, of whom one has blocked the other. */
export async function closeAsksBetween(app: App, a: string, b: string): Promise<void> {
  for (const each of await openAsksBetween(app.db, a, b))
    await changeOrders(app, 'close asks between', async (locked) => {
      const { booking } = await lockPair(locked, each);
      closeAsks(app, locked, [booking], { how: 'withdraw', reason: '' });
      settleBooking(app, locked, booking);
    });
}

interface Closing {
  move: 'reject' | 'declineInvitation' | 'withdraw' | 'withdrawInvitation' | 'expire';
  by: By;
  reason?: string;
}

/** Ends a booking that was not joined, and frees the seat reserved for it. */
async function close(
  app: App,
  locked: LockedOrders,
  { ride, booking }: BookedPair,
  { move, by, reason }: Closing,
): Promise<void> {
  const set = { endedAt: app.clock.now(), ...(reason === undefined ? {} : { reason }) };
  const note = reason === undefined ? {} : { note: reason };
  const moved = moveBooking(app, locked, booking, { move, by, set, ...note });
  if (isKept(booking)) leaveRoute(app, locked, ride, moved);
  settleBooking(app, locked, moved);
}

/**
 * Expires a request whose window passed without a ride, and its open asks; does nothing before that, or while
 * another transaction has it.
 */
export async function expireRequest(app: App, requestId: string): Promise<void> {
  const { clock } = app;
  await followLatePayments(app, { requestIds: [requestId] });
  await changeOrders(app, 'expire request', async (locked) => {
    if (!(await claimRequest(await locked.db(), requestId))) return;
    const request = await locked.lockRequest(requestId);
    if (request === null || !openRequestStates.includes(request.state) || request.latestAt > clock.now())
      return;
    closeAsks(app, locked, locked.bookingsOfRequest(requestId), {
      how: 'expire',
      reason: '',
    });
    moveRequest(app, locked, request, {
      move: 'expire',
      by: bySystem,
      set: { endedAt: clock.now() },
    });
    locked.spans.free(requestId);
  });
}

/**
 * Counts the deadline of an ask or invitation from the moment its message left; never shortens it. A seat
 * reserved for the waitlist keeps its deadline, because others wait behind it.
 */
export async function countFromMessage(app: App, tx: Db, bookingId: string, leftAt: Date): Promise<void> {
  const [seen] = await bookingsByIds(tx, [bookingId]);
  if (seen === undefined || !openAskStates.includes(seen.state) || isKept(seen)) return;
  await changeOrdersIn(tx, app, async (locked) => {
    const pair = await lockPair(locked, seen);
    const move = pair.booking.startedBy === 'driver' ? 'invite' : 'ask';
    await extend(app, locked, pair, answerBy(move, leftAt, pair.ride.latestDepartsAt));
  });
}

/**
 * Extends an ask or invitation whose deadline is over while its message has not left, since its person could
 * not have seen it. @returns whether it did.
 */
async function extendUnseen(app: App, locked: LockedOrders, pair: BookedPair): Promise<boolean> {
  const { ride, booking } = pair;
  const until = isKept(booking) ? null : waitUntil(app.clock.now(), ride.latestDepartsAt);
  if (until === null) return false;
  const personId = booking.startedBy === 'driver' ? booking.passengerId : booking.driverId;
  const of = { bookingId: booking.id, personId, since: booking.createdAt };
  if (!(await app.ports.orders.isOnItsWay(await locked.db(), of))) return false;
  await extend(app, locked, pair, until);
  return true;
}

async function extend(
  { outbox }: App,
  locked: LockedOrders,
  { ride, booking }: BookedPair,
  until: Date,
): Promise<void> {
  if (!locked.extendAnswer(booking, until)) return;
  await outbox.tell(await locked.db(), [ride.driverId], { topic: 'order', id: ride.id, news: null });
  await outbox.tell(await locked.db(), [booking.passengerId], {
    topic: 'order',
    id: booking.requestId,
    news: null,
  });
}
