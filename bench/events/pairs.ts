import type { BuiltApp } from '../../server/app.ts';
import { hourMs, later } from '../../server/platform/clock.ts';
import { requestOf, rideOf } from '../../server/testing/booking-plans.ts';
import { newPerson } from '../../server/testing/people.ts';

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
export async function bookPair({ features, platform }: BuiltApp, name: string): Promise<Pair> {
  const { orders } = features;
  const departsAt = later(platform.clock.now(), departsInMs);
  const driver = await newPerson(platform, `Driver ${name}`);
  const passenger = await newPerson(platform, `Passenger ${name}`);
  const ride = await orders.create(driver.id, rideOf({ departsAt, vehicleId: null, isInstant: false }));
  const request = await orders.create(passenger.id, requestOf(departsAt));
  await orders.bookings.ask(passenger.id, { rideId: ride.id, requestId: request.id, message: '' });
  const [asked] = await orders.bookingsOf(platform.db, { requestIds: [request.id] });
  await orders.bookings.accept(asked!.id, driver.id);
  const [booking] = await orders.bookingsByIds(platform.db, [asked!.id]);
  return {
    driverId: driver.id,
    passengerId: passenger.id,
    rideId: ride.id,
    requestId: request.id,
    bookingId: asked!.id,
    version: booking!.version,
  };
}
