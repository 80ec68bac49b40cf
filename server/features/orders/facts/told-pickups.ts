import type { OrderContext } from '../context.ts';
import * as store from '../store.ts';
import { stopsWithWindows } from '../queries.ts';

/**
 * When the passengers of some bookings would be picked up, as they see it before they have joined: by rounded
 * places. All that it takes is read at once.
 */
export async function toldPickups(
  { platform: { kept }, matching }: Pick<OrderContext, 'platform' | 'matching'>,
  bookingIds: readonly string[],
): Promise<Map<string, Date>> {
  const bookings = await store.bookingsByIds(kept, [...new Set(bookingIds)]);
  if (bookings.length === 0) return new Map();
  const rideIds = [...new Set(bookings.map(({ rideId }) => rideId))];
  const [rides, requests, stops] = await Promise.all([
    store.ridesByIds(kept, rideIds),
    store.requestsByIds(kept, [...new Set(bookings.map(({ requestId }) => requestId))]),
    stopsWithWindows(kept, rideIds),
  ]);
  const plans = matching.plansFrom(rides, stops);
  return new Map(
    bookings.flatMap((booking) => {
      const plan = plans.get(booking.rideId);
      const request = requests.find(({ id }) => id === booking.requestId);
      if (plan === undefined || request === undefined) return [];
      const { pickupMs } = matching.toldBooking('passenger', plan, request, booking);
      return [[booking.id, new Date(pickupMs)]];
    }),
  );
}
