import type { BookingMove } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later, secondMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { SignalOf } from '../../platform/events/listeners.ts';
import { moveSource } from '../../platform/events/signals.ts';
import { bookingsByIds } from '../orders/aggregate/queries.ts';
import { bookingProcess, type BookingProcess, type MoveNotice, brokenBookingsOf } from '../orders/service.ts';
import type { Drafting, Gathered, OrderNoticeDraft } from './drafts.ts';
import { orderPage, ridePage } from './order-notices.ts';
import { awaitsOtherSide } from './rules/answers.ts';

/** A booking joined this shortly before a move was joined by that move. */
const joinedNowMs = 5 * secondMs;

/** Notifies the side that a move of a booking concerns, by `orders/process.ts`. */
export const bookingNotices = ({ db }: App): Drafting => ({
  'booking.moved': {
    concerns: ({ move }) => bookingProcess[move as BookingMove].notifies !== null,
    async drafts(signal, gathered) {
      const { bookingId, rideId, requestId, driverId, passengerId } = signal.payload;
      const told = noticeOf(signal, gathered);
      if (told === null) return [];
      if (told.news === 'meetingAsked' && !(await isMeetingAsked(db, signal))) return [];
      const [userId, otherId] = told.to === 'driver' ? [driverId, passengerId] : [passengerId, driverId];
      const path =
        told.news === 'reached' || told.news === 'meetingAsked'
          ? ridePage(rideId)
          : orderPage(told.to === 'driver' ? rideId : requestId);
      const own =
        told.news === 'brokenOff'
          ? (await brokenBookingsOf(db, [rideId])).find((each) => each.bookingId === bookingId)
          : undefined;
      const facts = own === undefined ? {} : { amountCents: own.shareCents };
      const of = { rideId, bookingId };
      const source = moveSource(signal);
      return [{ userId, news: told.news, of, source, otherId, path, facts, at: signal.at }];
    },
  },

  'booking.unclear': {
    concerns: ({ what }) => what === 'asked',
    drafts({ payload: { bookingId, rideId, requestId, driverId, passengerId } }) {
      // A driver is asked once about a ride, however many passengers there were.
      const sides = [
        { userId: driverId, otherId: passengerId, orderId: rideId, source: `unclear:${rideId}` },
        { userId: passengerId, otherId: driverId, orderId: requestId, source: `unclear:${bookingId}` },
      ];
      return sides.map(({ orderId, ...side }): OrderNoticeDraft => ({
        ...side,
        news: 'tookPlaceAsked',
        of: { rideId, bookingId },
        path: orderPage(orderId),
        facts: {},
      }));
    },
  },
});

/** False where the other side has confirmed the meeting meanwhile, or their PIN did it at once. */
async function isMeetingAsked(
  db: Db,
  { payload: { bookingId } }: SignalOf<'booking.moved'>,
): Promise<boolean> {
  const [booking] = await bookingsByIds(db, [bookingId]);
  return booking !== undefined && awaitsOtherSide(booking);
}

/** A paid ride is joined once its card is authorized; a later new authorization causes no notification. */
function noticeOfPaid(bookingId: string, at: Date, { joins }: Gathered): MoveNotice | null {
  const join = joins.get(bookingId);
  if (join?.joinedAt == null || later(join.joinedAt, joinedNowMs) < at) return null;
  if (join.startedBy === 'driver') return { to: 'driver', news: 'invitationAccepted' };
  return join.isInstant ? { to: 'driver', news: 'joinedAtOnce' } : { to: 'passenger', news: 'accepted' };
}

function noticeOf(
  { at, payload: { bookingId, move, actor } }: SignalOf<'booking.moved'>,
  gathered: Gathered,
): MoveNotice | null {
  const { notifies }: BookingProcess = bookingProcess[move as BookingMove];
  if (notifies === null) return null;
  if (notifies === 'asJoined') return noticeOfPaid(bookingId, at, gathered);
  return 'to' in notifies ? notifies : notifies[actor];
}

/** Whether it depends on how the passenger joined what a move is to whom. */
export const isJoin = ({ payload: { move } }: SignalOf<'booking.moved'>): boolean =>
  bookingProcess[move as BookingMove].notifies === 'asJoined';
