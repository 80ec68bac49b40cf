import { randomUUID } from 'node:crypto';
import {
  accept,
  arrive,
  askToJoin,
  confirmMeeting,
  depart,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { eq } from 'drizzle-orm';
import { minuteMs } from '../platform/clock.ts';
import { contacts } from '../schema/contacts.ts';
import { users } from '../schema/identity.ts';
import type { CallingApp } from './calling-app.ts';
import type { Doors } from './exact-places.ts';
import type { TestPerson } from './people.ts';
import { addVehicle, publishRequest, publishRide } from './orders.ts';

/** Every kind of caller. */
export const roles = ['guest', 'stranger', 'contact', 'passenger', 'driver', ...staffRoles] as const;
export type Role = (typeof roles)[number];

/** How far the ride has come; each includes the ones before. */
export const steps = [
  'people',
  'published',
  'asked',
  'joined',
  'waiting',
  'atStart',
  'departed',
  'atPickup',
  'met',
  'picked',
  'finished',
] as const;
export type Step = (typeof steps)[number];

/**
 * One ride with every kind of caller around it: shown to contacts, so that a contact sees what a stranger
 * does not.
 */
export interface AccessFixture {
  app: CallingApp;
  people: Record<Exclude<Role, 'guest'>, TestPerson>;
  who(role: Role): TestPerson | null;
  ride: Ride;
  request: Request;
  bookingId: string;
  vehicleId: string;
  /** Where the two travel from and to; by default the usual places. */
  doors: Doors | null;
}

const phoneOf = () => `+1415${String(2_000_000 + Math.floor(Math.random() * 7_999_999))}`;

/**
 * @param known people to use instead of new ones.
 * @param doors places to use instead of the usual ones.
 */
export async function openAccessFixture(
  app: CallingApp,
  until: Step,
  known?: AccessFixture['people'],
  doors: Doors | null = null,
): Promise<AccessFixture> {
  const people = known ?? (await newPeople(app));
  const { passenger, driver, contact } = people;
  for (const { id } of [passenger, driver])
    await app.platform.db
      .update(users)
      .set({ phone: phoneOf(), phoneVerifiedAt: app.clock.now() })
      .where(eq(users.id, id));
  await befriend(app, driver, passenger);
  await befriend(app, driver, contact);
  await befriend(app, passenger, contact);
  let [ride, request]: [Ride | null, Request | null] = [null, null];
  const fixture: AccessFixture = {
    app,
    people,
    who: (role) => (role === 'guest' ? null : people[role]),
    get ride() {
      return published(ride);
    },
    set ride(next) {
      ride = next;
    },
    get request() {
      return published(request);
    },
    set request(next) {
      request = next;
    },
    bookingId: randomUUID(),
    vehicleId: randomUUID(),
    doors,
  };
  await carryOn(fixture, 'people', until);
  return fixture;
}

async function newPeople(app: CallingApp): Promise<AccessFixture['people']> {
  const [stranger, contact, passenger, driver] = await Promise.all([
    app.person('Stranger'),
    app.person('Contact'),
    app.person('Passenger'),
    app.person('Driver'),
  ]);
  const staff = await Promise.all(
    staffRoles.map(async (staffRole) => [staffRole, await app.person(staffRole, { staffRole })] as const),
  );
  const byRole = Object.fromEntries(staff) as Record<StaffRole, TestPerson>;
  return { stranger, contact, passenger, driver, ...byRole };
}

function published<T>(order: T | null): T {
  if (order === null) throw new Error('Nothing is published at this step.');
  return order;
}

/** Takes a ride from one step to a later one. */
export async function carryOn(fixture: AccessFixture, from: Step, until: Step): Promise<void> {
  for (const step of steps.slice(steps.indexOf(from) + 1, steps.indexOf(until) + 1))
    await take[step](fixture);
  await fixture.app.deliver();
}

async function befriend(app: CallingApp, a: TestPerson, b: TestPerson): Promise<void> {
  const pair = { origin: 'DIRECT' as const, createdAt: app.clock.now() };
  await app.platform.db
    .insert(contacts)
    .values([
      { ownerId: a.id, otherId: b.id, ...pair },
      { ownerId: b.id, otherId: a.id, ...pair },
    ])
    .onConflictDoNothing();
}

const take: Record<Step, (fixture: AccessFixture) => Promise<unknown>> = {
  people: async () => {},
  async published(fixture) {
    const { app, people, doors } = fixture;
    fixture.vehicleId = await addVehicle(app, people.driver);
    const audience = { visibility: 'all contacts' as const };
    fixture.ride = await publishRide(app, people.driver, {
      ...audience,
      vehicleId: fixture.vehicleId,
      ...doors?.driver,
    });
    fixture.request = await publishRequest(app, people.passenger, { ...audience, ...doors?.passenger });
  },
  async asked(fixture) {
    const { app, people, ride, request } = fixture;
    const ids = { rideId: ride.id, requestId: request.id };
    const { order } = await app.ok(people.passenger, askToJoin, { ...ids, message: 'May I?' });
    fixture.bookingId = order.bookings[0]!.id;
  },
  joined: ({ app, people, bookingId }) => app.ok(people.driver, accept, { bookingId }),
  async waiting({ app, ride }) {
    app.clock.moveTo(new Date(Date.parse(ride.departsAt) - 4 * minuteMs));
    await app.scheduler.tick();
  },
  atStart: ({ app, people, ride }) => app.ok(people.driver, reach, { id: ride.id, reason: 'It is here' }),
  departed: ({ app, people, ride }) => {
    app.clock.moveTo(new Date(Date.parse(ride.departsAt)));
    return app.ok(people.driver, depart, { id: ride.id });
  },
  atPickup: ({ app, people, ride, bookingId }) =>
    app.ok(people.driver, reach, { id: ride.id, bookingId, reason: 'It is here' }),
  met: ({ app, people, bookingId }) => app.ok(people.driver, pickUp, { bookingId }),
  picked: ({ app, people, bookingId }) => app.ok(people.passenger, confirmMeeting, { bookingId }),
  finished: ({ app, people, ride }) => {
    app.clock.advance(30 * minuteMs);
    return app.ok(people.driver, arrive, { id: ride.id });
  },
};
