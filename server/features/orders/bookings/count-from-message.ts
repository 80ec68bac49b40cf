import { openAskStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { changeOrdersIn, type LockedOrders } from '../aggregate/locked-orders.ts';
import { bookingsByIds } from '../aggregate/queries.ts';
import { isKept } from './guards.ts';
import { lockPair, type BookedPair } from './pair.ts';
import { answerBy, waitUntil } from './rules/deadlines.ts';

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
export async function extendUnseen(app: App, locked: LockedOrders, pair: BookedPair): Promise<boolean> {
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
