import type { Db } from '../../../platform/database/db.ts';
import { openAskStates } from '#contract/rides/moves.ts';
import type { BookingContext } from './context.ts';
import { isKept } from './guards.ts';
import { lockPair, type BookedPair } from './pair.ts';
import { answerBy, waitUntil } from './rules/deadlines.ts';
import { changeOrdersIn, type LockedOrders } from '../aggregate/locked-orders.ts';

/**
 * Counts the deadline of an ask or invitation from the moment its message left; never shortens it. A seat
 * reserved for the waitlist keeps its deadline, because others wait behind it.
 */
export async function countFromMessage(
  context: BookingContext,
  tx: Db,
  bookingId: string,
  leftAt: Date,
): Promise<void> {
  const { orders, platform } = context;
  const [seen] = await orders.bookingsByIds(tx, [bookingId]);
  if (seen === undefined || !openAskStates.includes(seen.state) || isKept(seen)) return;
  await changeOrdersIn(tx, platform, async (locked) => {
    const pair = await lockPair(locked, seen);
    const move = pair.booking.startedBy === 'driver' ? 'invite' : 'ask';
    await extend(context, locked, pair, answerBy(move, leftAt, pair.ride.latestDepartsAt));
  });
}

/**
 * Extends an ask or invitation whose deadline is over while its message has not left, since its person could
 * not have seen it. @returns whether it did.
 */
export async function extendUnseen(
  context: BookingContext,
  locked: LockedOrders,
  pair: BookedPair,
): Promise<boolean> {
  const { platform, messages } = context;
  const { ride, booking } = pair;
  const until = isKept(booking) ? null : waitUntil(platform.clock.now(), ride.latestDepartsAt);
  if (until === null) return false;
  const personId = booking.startedBy === 'driver' ? booking.passengerId : booking.driverId;
  const of = { bookingId: booking.id, personId, since: booking.createdAt };
  if (!(await messages.isOnItsWay(await locked.db(), of))) return false;
  await extend(context, locked, pair, until);
  return true;
}

async function extend(
  { platform: { outbox } }: BookingContext,
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
