import { randomUUID } from 'node:crypto';
import { noPreferences } from '../contract/rides/preferences.ts';
import { eq, inArray } from 'drizzle-orm';
import type { House } from '../server/app.ts';
import { later, hourMs, minuteMs } from '../server/base/clock.ts';
import { users } from '../server/tables/identity.ts';
import { bookings, rideStops } from '../server/tables/rides.ts';
import { inBenchHouse, percentile, rounded, say } from './house.ts';

const passengers = 200;
const clients = 20;
const seatsPerRide = 3;
const rideCount = 40;
const way = {
  from: { name: 'Mission Street', detail: '', lon: -122.0408, lat: 36.9689 },
  to: { name: 'Aptos Village', detail: '', lon: -121.9027, lat: 36.9772 },
};
const wish = {
  from: { name: 'Pacific Avenue', detail: '', lon: -122.0263, lat: 36.9741 },
  to: { name: 'Capitola', detail: '', lon: -121.9533, lat: 36.9722 },
};
const common = {
  note: '',
  contactWith: 'phone',
  flightNumber: '',
  eventId: null,
  preferences: noPreferences,
  visibility: 'all users',
  tagIds: [] as string[],
} as const;

/**
 * 200 passengers ask and are accepted at once, from 20 clients in parallel, for rides with 3 seats: `oversold` counts
 * legs with more people than seats, `lost` joined bookings that are not on their ride's route, or seats taken that
 * belong to nobody.
 */
export async function benchSeats(): Promise<Record<string, number>> {
  return inBenchHouse(async (house) => {
    say(`Publishing ${rideCount} rides with ${seatsPerRide} seats and ${passengers} requests …`);
    const people = await drawPeople(house, rideCount + passengers);
    const departsAt = later(house.clock.now(), 24 * hourMs);
    const rideIds: string[] = [];
    for (const driverId of people.slice(0, rideCount)) {
      const ride = await house.rooms.rides.create(driverId, {
        role: 'driver',
        ...common,
        ...way,
        departsAt: departsAt.toISOString(),
        flexMinutes: 0,
        seats: seatsPerRide,
        vehicleId: null,
        priceKind: 'perPerson',
        costCents: 0,
        maxDetourMinutes: 15,
        instant: false,
        via: [],
      });
      rideIds.push(ride.id);
    }
    const asks: { passengerId: string; requestId: string; rideId: string }[] = [];
    for (const [index, passengerId] of people.slice(rideCount).entries()) {
      const request = await house.rooms.rides.create(passengerId, {
        role: 'passenger',
        ...common,
        ...wish,
        earliestAt: later(departsAt, -30 * minuteMs).toISOString(),
        latestAt: later(departsAt, 60 * minuteMs).toISOString(),
        seats: 1,
        offerCents: null,
        walkMetres: 600,
      });
      asks.push({ passengerId, requestId: request.id, rideId: rideIds[index % rideCount]! });
    }

    say(`${passengers} asks and acceptances from ${clients} clients at once …`);
    const tookMs: number[] = [];
    let [attempts, refused] = [0, 0];
    const queue = [...asks];
    const client = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        attempts++;
        const startedAt = performance.now();
        try {
          await askAndAccept(house, next);
        } catch (error) {
          if (!(error instanceof Error && 'reason' in error)) throw error;
          refused++;
        }
        tookMs.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));

    const seated = await house.base.db.select().from(bookings).where(eq(bookings.state, 'joined'));
    const stops = await house.base.db.select().from(rideStops).where(inArray(rideStops.rideId, rideIds));
    const oversold = stops.filter((stop) => stop.seatsTaken > stop.seats).length;
    const offRoute = seated.filter(
      (booking) => stops.filter((stop) => stop.bookingId === booking.id).length !== 2,
    ).length;
    const wrongCount = stops.filter(
      (stop) => stop.kind !== 'end' && stop.seatsTaken !== takenBy(stops, stop, seated),
    ).length;
    return {
      attempts,
      joined: seated.length,
      refused,
      oversold,
      lost: offRoute + wrongCount,
      p50Ms: rounded(percentile(tookMs, 0.5)),
      p99Ms: rounded(percentile(tookMs, 0.99)),
    };
  });
}

type Stop = typeof rideStops.$inferSelect;

/** Seats that those who have got in before and not yet out take on the way from a stop. */
function takenBy(
  stops: readonly Stop[],
  at: Stop,
  seated: readonly (typeof bookings.$inferSelect)[],
): number {
  const upToHere = stops.filter((stop) => stop.rideId === at.rideId && stop.position <= at.position);
  return seated.reduce((sum, booking) => {
    const own = upToHere.filter((stop) => stop.bookingId === booking.id);
    return own.length === 1 ? sum + booking.seats : sum;
  }, 0);
}

async function askAndAccept(
  house: House,
  ask: { passengerId: string; requestId: string; rideId: string },
): Promise<void> {
  const { passengerId, requestId, rideId } = ask;
  await house.rooms.bookings.ask(passengerId, { rideId, requestId, message: '' });
  const [booking] = await house.rooms.rides.bookingsOf(house.base.db, { requestIds: [requestId] });
  await house.rooms.bookings.accept(booking!.id, booking!.driverId);
}

async function drawPeople(house: House, count: number): Promise<string[]> {
  const now = house.base.clock.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID() as string,
    email: `person${index}@example.com`,
    name: `Person ${index}`,
    passwordHash: '',
    emailVerifiedAt: now,
    profileCompletedAt: now,
    createdAt: now,
  }));
  await house.base.db.insert(users).values(rows);
  return rows.map((row) => row.id);
}
