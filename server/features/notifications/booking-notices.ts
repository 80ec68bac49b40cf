import type { Actor, BookingMove } from '#contract/rides/moves.ts';
import { later, secondMs } from '../../platform/clock.ts';
import { bookingProcess, type BookingProcess, type MoveNotice } from '../orders/service.ts';
import { notifyOf, orderPage, ridePage, type NoticeContext } from './order-notices.ts';

/** A booking joined this shortly before a move was joined by that move. */
const joinedNowMs = 5 * secondMs;

/** Notifies the side that a move of a booking concerns, by `orders/process.ts`. */
export function listenForBookingNotices(context: NoticeContext): void {
  const { outbox, orders } = context;
  outbox.on(
    'booking.moved',
    'notices',
    async ({ id, at, payload }) => {
      const { bookingId, rideId, requestId, driverId, passengerId } = payload;
      const told = await noticeOf(context, payload, at);
      if (told === null) return;
      const [userId, otherId] = told.to === 'driver' ? [driverId, passengerId] : [passengerId, driverId];
      const path =
        told.news === 'reached' ? ridePage(rideId) : orderPage(told.to === 'driver' ? rideId : requestId);
      const own =
        told.news === 'brokenOff'
          ? (await orders.broken.bookingsOf([rideId])).find((each) => each.bookingId === bookingId)
          : undefined;
      const facts = own === undefined ? {} : { amountCents: own.shareCents };
      const source = `signal:${id}`;
      await notifyOf(context, { rideId, bookingId }, userId, {
        news: told.news,
        source,
        otherId,
        path,
        facts,
        at,
      });
    },
    ({ move }) => bookingProcess[move as BookingMove].notifies !== null,
  );

  outbox.on('booking.unclear', 'notices', async ({ payload }) => {
    const { bookingId, rideId, requestId, driverId, passengerId, what } = payload;
    if (what !== 'asked') return;
    // A driver is asked once about a ride, however many passengers there were.
    const sides = [
      { userId: driverId, otherId: passengerId, orderId: rideId, source: `unclear:${rideId}` },
      { userId: passengerId, otherId: driverId, orderId: requestId, source: `unclear:${bookingId}` },
    ];
    for (const { userId, otherId, orderId, source } of sides)
      await notifyOf(context, { rideId, bookingId }, userId, {
        news: 'tookPlaceAsked',
        source,
        otherId,
        path: orderPage(orderId),
      });
  });
}

/** A paid ride is joined once its card is authorized; a later new authorization is no news. */
async function noticeOfPaid(
  { db, orders }: NoticeContext,
  bookingId: string,
  at: Date,
): Promise<MoveNotice | null> {
  const [booking] = await orders.bookingsByIds(db, [bookingId]);
  if (booking?.joinedAt == null || later(booking.joinedAt, joinedNowMs) < at) return null;
  if (booking.startedBy === 'driver') return { to: 'driver', news: 'invitationAccepted' };
  const ride = await orders.rideById(booking.rideId);
  return ride?.instant === true
    ? { to: 'driver', news: 'joinedAtOnce' }
    : { to: 'passenger', news: 'accepted' };
}

async function noticeOf(
  context: NoticeContext,
  { bookingId, move, actor }: { bookingId: string; move: string; actor: Actor },
  at: Date,
): Promise<MoveNotice | null> {
  const { notifies }: BookingProcess = bookingProcess[move as BookingMove];
  if (notifies === null) return null;
  if (notifies === 'asJoined') return noticeOfPaid(context, bookingId, at);
  return 'to' in notifies ? notifies : notifies[actor];
}
