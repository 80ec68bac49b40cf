import type { InputOf } from '#contract/define.ts';
import { createOrder } from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { createVehicle } from '#contract/vehicles/endpoints.ts';
import { later } from '../platform/clock.ts';
import type { bookings, requests, rides } from '../schema/rides.ts';
import type { CallingApp } from './calling-app.ts';
import type { TestPerson } from './people.ts';

export interface Place {
  name: string;
  detail: string;
  lon: number;
  lat: number;
}

/** Well-known corners of Santa Cruz, on roads that the pack has. */
export const spots = {
  downtown: { name: 'Pacific Avenue', detail: 'Santa Cruz', lon: -122.0263, lat: 36.9741 },
  campus: { name: 'Science Hill', detail: 'UCSC', lon: -122.0609, lat: 36.9995 },
  capitola: { name: 'Capitola Village', detail: 'Capitola', lon: -121.9533, lat: 36.9722 },
  scottsValley: { name: 'Mount Hermon Road', detail: 'Scotts Valley', lon: -122.0146, lat: 37.0512 },
  aptos: { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 },
  westside: { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 },
  soquel: { name: 'Soquel Drive', detail: 'Soquel', lon: -121.9566, lat: 36.988 },
} as const;

/** A ride and a request as a form sends them. */
export type RideInput = Extract<InputOf<typeof createOrder>['order'], { role: 'driver' }>;
export type RequestInput = Extract<InputOf<typeof createOrder>['order'], { role: 'passenger' }>;

export async function addVehicle(app: CallingApp, owner: TestPerson, seats = 4): Promise<string> {
  const plate = crypto.randomUUID().slice(0, 7).toUpperCase();
  const vehicle = await app.ok(owner, createVehicle, {
    plate,
    brand: 'Toyota',
    model: 'Prius',
    type: 'hatchback',
    year: 2021,
    color: 'blue',
    seats,
  });
  return vehicle.id;
}

/** Publishes a ride; the vehicle is added when the ride has a price. */
export async function publishRide(
  app: CallingApp,
  driver: TestPerson,
  fields: Partial<RideInput> = {},
): Promise<Ride> {
  const departsAt = new Date(app.clock.now().getTime() + 24 * 3_600_000).toISOString();
  const order: RideInput = {
    role: 'driver',
    from: spots.westside,
    to: spots.aptos,
    departsAt,
    seats: 3,
    vehicleId: null,
    priceKind: 'perPerson',
    costCents: 0,
    // Room for the usual passengers in any order; tests of the limit set their own.
    maxDetourMinutes: 20,
    ...fields,
  };
  return (await app.ok(driver, createOrder, { order })) as Ride;
}

export async function publishRequest(
  app: CallingApp,
  passenger: TestPerson,
  fields: Partial<RequestInput> = {},
): Promise<Request> {
  const start = app.clock.now().getTime() + 24 * 3_600_000;
  const window = {
    earliestAt: new Date(start - 30 * 60_000).toISOString(),
    latestAt: new Date(start + 45 * 60_000).toISOString(),
  };
  const order: RequestInput = {
    role: 'passenger',
    from: spots.downtown,
    to: spots.capitola,
    ...window,
    seats: 1,
    offerCents: null,
    ...fields,
  };
  return (await app.ok(passenger, createOrder, { order })) as Request;
}

const rowOfOrder = () => {
  const [from, to] = [spots.westside, spots.aptos];
  return {
    id: crypto.randomUUID(),
    orderNumber: `SW-${crypto.randomUUID().toUpperCase()}`,
    fromName: from.name,
    fromDetail: from.detail,
    fromLon: from.lon,
    fromLat: from.lat,
    toName: to.name,
    toDetail: to.detail,
    toLon: to.lon,
    toLat: to.lat,
    timeZone: 'America/Los_Angeles',
    estimated: false,
    driveMs: 900_000,
    driveMetres: 13_000,
    visibility: 'all users',
    contactWith: 'phone',
  } as const;
};

/** A row of an open ride, for tests that need one to stand in the tables without being published. */
export function openRide(of: {
  driverId: string;
  departsAt: Date;
  vehicleId?: string;
}): typeof rides.$inferInsert {
  const { departsAt } = of;
  const times = {
    earliestDepartsAt: departsAt,
    latestDepartsAt: departsAt,
    arrivesAt: later(departsAt, 900_000),
    createdAt: departsAt,
  };
  return {
    ...rowOfOrder(),
    ...of,
    ...times,
    state: 'matching',
    seats: 3,
    priceKind: 'perPerson',
    costCents: 0,
    maxDetourMs: 600_000,
  };
}

/** A row of an open request. */
export function openRequest(of: { passengerId: string; earliestAt: Date }): typeof requests.$inferInsert {
  const { earliestAt } = of;
  const times = {
    latestAt: later(earliestAt, 1_800_000),
    arriveBy: later(earliestAt, 5_400_000),
    createdAt: earliestAt,
  };
  return { ...rowOfOrder(), ...of, ...times, state: 'matching', seats: 1, walkMetres: 600 };
}

/** A row for `bookings`: a ride and a request at one instant, asked by the passenger, without a fare. */
export const askedBooking = (of: {
  ride: Pick<typeof rides.$inferInsert, 'id' | 'driverId'>;
  request: Pick<typeof requests.$inferInsert, 'id' | 'passengerId'>;
  at: Date;
}): typeof bookings.$inferInsert => ({
  id: crypto.randomUUID(),
  rideId: of.ride.id,
  requestId: of.request.id,
  driverId: of.ride.driverId,
  passengerId: of.request.passengerId,
  state: 'requesting',
  startedBy: 'passenger',
  seats: 1,
  pickupLon: 0,
  pickupLat: 0,
  dropoffLon: 0,
  dropoffLat: 0,
  pickupWalkMetres: 0,
  dropoffWalkMetres: 0,
  pickupAt: of.at,
  dropoffAt: of.at,
  fareCents: 0,
  detourMs: 0,
  detourMetres: 0,
  createdAt: of.at,
});
