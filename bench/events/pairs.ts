import type { BuiltApp } from '../../server/app.ts';
import { hourMs, later } from '../../server/platform/clock.ts';
import { requestOf, rideOf } from '../../server/testing/booking-plans.ts';
import { newPerson } from '../../server/testing/people.ts';
import { createOrder } from '../../server/features/orders/order-commands.ts';
import { askToJoin } from '../../server/features/orders/bookings/open-booking.ts';
import { bookingsOf } from '../../server/features/orders/store.ts';
import { acceptBooking } from '../../server/features/orders/bookings/accept-booking.ts';
import { bookingsByIds } from '../../server/features/orders/aggregate/queries.ts';

/** A driver and a passenger with a ride, a request and a booking between them. */
export interface Pair {
  driverId: string;
  passengerId: string;
  rideId: string;
  requestId: string;
  bookingId: string;
  /** Of the booking; each further move has the next one. */
  version: number;
}

const departsInMs = 30 * hourMs;

/** Two new people publish, ask and accept: a free ride that they join. */
export async function bookPair({ platform }: BuiltApp, name: string): Promise<Pair> {
  const departsAt = later(platform.clock.now(), departsInMs);
  const driver = await newPerson(platform, `Driver ${name}`);
  const passenger = await newPerson(platform, `Passenger ${name}`);
  const ride = await createOrder(
    platform,
    driver.id,
    rideOf({ departsAt, vehicleId: null, isInstant: false }),
  );
  const request = await createOrder(platform, passenger.id, requestOf(departsAt));
  await askToJoin(platform, passenger.id, { rideId: ride.id, requestId: request.id, message: '' });
  const [asked] = await bookingsOf(platform.db, { requestIds: [request.id] });
  await acceptBooking(platform, asked!.id, driver.id);
  const [booking] = await bookingsByIds(platform.db, [asked!.id]);
  return {
    driverId: driver.id,
    passengerId: passenger.id,
    rideId: ride.id,
    requestId: request.id,
    bookingId: asked!.id,
    version: booking!.version,
  };
}
