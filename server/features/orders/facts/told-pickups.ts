import type { App } from '../../../app-type.ts';
import { plansFrom, tellBooking } from '../../matching/service.ts';
import { stopsWithWindows } from '../queries.ts';
import * as store from '../store.ts';

/**
 * When the passengers of some bookings would be picked up, as they see it before they have joined: by rounded
 * places. All that it takes is read at once.
 */
export async function toldPickups(app: App, bookingIds: readonly string[]): Promise<Map<string, Date>> {
  const { kept } = app;
  const bookings = await store.bookingsByIds(kept, [...new Set(bookingIds)]);
  if (bookings.length === 0) return new Map();
  const rideIds = [...new Set(bookings.map(({ rideId }) => rideId))];
  const [rides, requests, stops] = await Promise.all([
    store.ridesByIds(kept, rideIds),
    store.requestsByIds(kept, [...new Set(bookings.map(({ requestId }) => requestId))]),
    stopsWithWindows(kept, rideIds),
  ]);
  const plans = plansFrom(rides, stops);
  return new Map(
    bookings.flatMap((booking) => {
      const plan = plans.get(booking.rideId);
      const request = requests.find(({ id }) => id === booking.requestId);
      if (plan === undefined || request === undefined) return [];
      const { pickupMs } = tellBooking(app, 'passenger', plan, { request, booking });
      return [[booking.id, new Date(pickupMs)]];
    }),
  );
}
