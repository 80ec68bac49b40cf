import type { App } from '../../app-type.ts';
import { bookingsOf } from '../orders/service.ts';

export const orderPage = (orderId: string) => `/pages/order/detail?id=${orderId}`;
export const ridePage = (rideId: string) => `/pages/order/ride?id=${rideId}`;
export const eventPage = (eventId: string) => `/pages/events/events?id=${eventId}`;

/** Bookings of a ride that have not ended. */
export const openBookings = async ({ db }: App, rideId: string) =>
  (await bookingsOf(db, { rideIds: [rideId] })).filter(({ endedAt }) => endedAt === null);
