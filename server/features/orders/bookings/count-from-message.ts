import { openAskStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { BookingContext } from './context.ts';
import { isKept } from './guards.ts';
import { lockPair, type BookedPair } from './pair.ts';
import { answerBy, waitUntil } from './rules/deadlines.ts';

/**
 * Counts the deadline of an ask or invitation from the moment its message left; never shortens it. A seat
 * kept for the waitlist keeps its deadline, because others wait behind it.
 */
export async function countFromMessage(
  context: BookingContext,
  tx: Db,
  bookingId: string,
  leftAt: Date,
): Promise<void> {
  const { orders } = context;
  const [seen] = await orders.bookingsByIds(tx, [bookingId]);
  if (seen === undefined || !openAskStates.includes(seen.state) || isKept(seen)) return;
  const pair = await lockPair(context, tx, seen);
  const move = pair.booking.startedBy === 'driver' ? 'invite' : 'ask';
  await extend(context, tx, pair, answerBy(move, leftAt, pair.ride.latestDepartsAt));
}

/**
 * Extends an ask or invitation whose deadline is over while its message has not left, since its person could
 * not have seen it. @returns whether it did.
 */
export async function extendUnseen(context: BookingContext, tx: Db, pair: BookedPair): Promise<boolean> {
  const { platform, messages } = context;
  const { ride, booking } = pair;
  const until = isKept(booking) ? null : waitUntil(platform.clock.now(), ride.latestDepartsAt);
  if (until === null) return false;
  const personId = booking.startedBy === 'driver' ? booking.passengerId : booking.driverId;
  const of = { bookingId: booking.id, personId, since: booking.createdAt };
  if (!(await messages.isOnItsWay(tx, of))) return false;
  await extend(context, tx, pair, until);
  return true;
}

async function extend(
  { platform: { outbox }, orders }: BookingContext,
  tx: Db,
  { ride, booking }: BookedPair,
  until: Date,
): Promise<void> {
  if (!(await orders.extendAnswer(tx, booking, until))) return;
  await outbox.tell(tx, [ride.driverId], { topic: 'order', id: ride.id, news: null });
  await outbox.tell(tx, [booking.passengerId], { topic: 'order', id: booking.requestId, news: null });
}
