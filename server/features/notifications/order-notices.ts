import type { Platform } from '../../platform/platform.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import type { OrdersService } from '../orders/service.ts';
import type { OfOrder } from './order-facts.ts';
import { kindOf, type News } from './rules/notification-texts.ts';
import type { NotificationsService } from './service.ts';
import type { About } from './context.ts';

/** What the listeners that notify people use. */
export interface NoticeContext extends Pick<Platform, 'db' | 'outbox'> {
  notifications: NotificationsService;
  orders: OrdersService;
}

/** Kinds that a passenger shortly before a ride gets even in quiet hours. */
const pressing = new Set(['change', 'onTheWay', 'reached']);

/** How long a car at the pick-up, or on its way there, is worth a notification. */
const carNewsMs: Partial<Record<News, number>> = { reached: 30 * minuteMs, departed: hourMs };

/** Notifications about an upcoming ride: from an hour after its departure they are only shown in the app. */
const aboutComing: ReadonlySet<News> = new Set([
  'asked',
  'invited',
  'seatOffered',
  'accepted',
  'joinedAtOnce',
  'invitationAccepted',
  'invitationDeclined',
  'changeProposed',
  'changeApplied',
  'rideEdited',
  'placeProposed',
  'rideNearby',
  'requestNearby',
]);
const goodAfterDepartureMs = hourMs;

export const orderPage = (orderId: string) => `/pages/order/detail?id=${orderId}`;
export const ridePage = (rideId: string) => `/pages/order/ride?id=${rideId}`;
export const eventPage = (eventId: string) => `/pages/events/events?id=${eventId}`;

/** A notice about an order, without the order's facts. */
export type OrderNotice = Omit<About, 'thing' | 'facts'> & {
  news: News;
  facts?: About['facts'];
  /** When it happened, for news that expires. */
  at?: Date;
};

/** Notifies one person about an order of theirs; does nothing where the order is gone. */
export async function notifyOf(
  context: NoticeContext,
  of: OfOrder,
  userId: string,
  notice: OrderNotice,
): Promise<void> {
  const order = await context.notifications.orderFacts.ofOwn(of, userId);
  if (order !== null) await notifyWith(context, { of, order }, userId, notice);
}

/** As `notifyOf`, with facts of the order that the caller already has. */
export async function notifyWith(
  { notifications }: NoticeContext,
  { of, order }: { of: OfOrder; order: About['facts'] },
  userId: string,
  { news, at, ...about }: OrderNotice,
): Promise<void> {
  const endsAfterMs = at === undefined ? undefined : carNewsMs[news];
  const departsAt = new Date(order.departsAt!);
  const goodUntil =
    endsAfterMs !== undefined
      ? later(at!, endsAfterMs)
      : aboutComing.has(news)
        ? later(departsAt, goodAfterDepartureMs)
        : null;
  await notifications.tell(userId, news, {
    ...about,
    thing: `order:${'rideId' in of ? of.rideId : of.requestId}`,
    facts: { ...order, ...about.facts },
    // A car that is late is still on its way.
    ...(pressing.has(kindOf(news)) ? { tooLateAt: later(departsAt, hourMs) } : {}),
    ...(goodUntil === null ? {} : { goodUntil }),
  });
}

/** Bookings of a ride that have not ended. */
export const openBookings = async ({ db, orders }: NoticeContext, rideId: string) =>
  (await orders.bookingsOf(db, { rideIds: [rideId] })).filter(({ endedAt }) => endedAt === null);
