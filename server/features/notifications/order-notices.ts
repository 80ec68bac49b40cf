import type { Platform } from '../../platform/platform.ts';
import { bookingsOf } from '../orders/service.ts';
import type { NotificationsService } from './service.ts';

/** What the listeners that notify people use. */
export interface NoticeContext extends Pick<Platform, 'db'> {
  notifications: NotificationsService;
}

export const orderPage = (orderId: string) => `/pages/order/detail?id=${orderId}`;
export const ridePage = (rideId: string) => `/pages/order/ride?id=${rideId}`;
export const eventPage = (eventId: string) => `/pages/events/events?id=${eventId}`;

/** Bookings of a ride that have not ended. */
export const openBookings = async ({ db }: NoticeContext, rideId: string) =>
  (await bookingsOf(db, { rideIds: [rideId] })).filter(({ endedAt }) => endedAt === null);
