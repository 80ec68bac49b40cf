import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Preferences } from '#contract/rides/preferences.ts';
import { roundedPoint, type Place } from '#contract/units.ts';
import type { BuiltApp } from '../app.ts';
import { pointAt } from '../features/geo/region-roads.ts';
import { ridesForRequest } from '../features/matching/find-fits.ts';
import { everything } from '../features/matching/rank-fits.ts';
import { acceptBooking } from '../features/orders/bookings/accept-booking.ts';
import { askToJoin } from '../features/orders/bookings/open-booking.ts';
import { createOrder } from '../features/orders/order-commands.ts';
import { bookingsOf } from '../features/orders/store.ts';
import { later, minuteMs } from '../platform/clock.ts';
import { blocks, contacts, taggedContacts, tags } from '../schema/contacts.ts';
import { users } from '../schema/identity.ts';
import { requests } from '../schema/rides.ts';
import { randomFrom } from './random.ts';

const hubs: readonly [lon: number, lat: number][] = [
  [-122.0263, 36.9741],
  [-122.0609, 36.9955],
  [-121.9533, 36.9752],
  [-122.0146, 37.0512],
  [-121.9027, 36.9772],
  [-122.0408, 36.9669],
  [-121.9566, 36.988],
  [-121.985, 36.975],
  [-122.073, 37.051],
  [-121.975, 36.995],
];

export interface CrowdSize {
  people: number;
  rides: number;
  requests: number;
  /** Asks that are accepted, so that some rides have several stops. */
  joined: number;
  /** Orders depart within this many hours. */
  hours: number;
  seed: number;
  /**
   * All places lie on their rounded points, and each person is picked up at the door: rounding changes
   * nothing.
   */
  onRoundedPoints?: boolean;
}

/** Fills an app with people, contacts, rides and requests on real roads, drawn from a seed. */
export async function drawCrowd(app: BuiltApp, size: CrowdSize): Promise<void> {
  const random = randomFrom(size.seed);
  const pick: Draw['pick'] = (list) => list[Math.floor(random() * list.length)]!;
  const now = app.platform.clock.now();
  const people = await drawPeople(app, size, pick);
  const draw: Draw = { app, size, random, taste: randomFrom(size.seed + 1), pick, now, ...people };
  const costs = await drawRides(draw);
  await drawRequests(draw);
  await joinSome(app, size.joined);
  // Prices need a vehicle, an account and cards; what a ride costs is all that matters here, so it is set
  // afterwards. Drawn like all else, never from an id: the same seed has to make the same crowd.
  const { db, outbox } = app.platform;
  await db.execute(sql`
    update rides set cost_cents = drawn.cost from
      json_to_recordset(${JSON.stringify([...costs].map(([id, cost]) => ({ id, cost })))}) as drawn(id uuid, cost integer)
    where rides.id = drawn.id`);
  await outbox.emit(db, 'orders.written', { orderIds: [...costs.keys()] }, 'crowd');
}

/** The choices that orders are drawn from. */
interface Draw {
  app: BuiltApp;
  size: CrowdSize;
  random: () => number;
  /** Random numbers of their own for what was added later, so that the rest of the crowd stays as it was. */
  taste: () => number;
  pick: <T>(list: readonly T[]) => T;
  now: Date;
  ids: readonly string[];
  /** One tag of each person, in the same order. */
  tagIds: readonly string[];
}

/** People with contacts, a tag each, and some blocks. */
async function drawPeople(
  app: BuiltApp,
  size: CrowdSize,
  pick: Draw['pick'],
): Promise<Pick<Draw, 'ids' | 'tagIds'>> {
  const { db, clock } = app.platform;
  const now = clock.now();
  const people = Array.from({ length: size.people }, (_, index) => ({
    id: randomUUID(),
    email: `person${index}@example.com`,
    name: `Person ${index}`,
    gender: index % 2 === 0 ? ('female' as const) : ('prefer not to say' as const),
    passwordHash: '',
    emailVerifiedAt: now,
    profileCompletedAt: now,
    createdAt: now,
  }));
  await db.insert(users).values(people);
  const ids: string[] = people.map((person) => person.id);
  const pairs = new Map(
    Array.from({ length: size.people * 4 }, () => [pick(ids), pick(ids)] as const)
      .filter(([a, b]) => a !== b)
      .map((pair) => [pair.join(), pair]),
  );
  await db.insert(contacts).values(
    [...pairs.values()].map(([ownerId, otherId]) => ({
      ownerId,
      otherId,
      origin: 'DIRECT' as const,
      createdAt: now,
    })),
  );
  const ownTags = ids.map((ownerId) => ({ id: randomUUID(), ownerId, name: 'Team' }));
  await db.insert(tags).values(ownTags);
  await db
    .insert(taggedContacts)
    .values(
      ownTags.flatMap((tag) =>
        [...new Set([pick(ids), pick(ids), pick(ids)])].map((userId) => ({ tagId: tag.id, userId })),
      ),
    );
  await db
    .insert(blocks)
    .values(
      ids
        .slice(0, Math.ceil(size.people / 10))
        .map((blockerId) => ({ blockerId, blockedId: pick(ids), createdAt: now })),
    )
    .onConflictDoNothing();
  return { ids, tagIds: ownTags.map(({ id }) => id) };
}

function drawSpot({ app, size, random, pick }: Draw): Place {
  for (;;) {
    const [lon, lat] = pick(hubs);
    const drawn = { lon: lon + (random() - 0.5) * 0.03, lat: lat + (random() - 0.5) * 0.024 };
    const at = size.onRoundedPoints === true ? roundedPoint(drawn) : drawn;
    if (pointAt(app.platform, at) !== null) return { name: 'Somewhere', detail: '', ...at };
  }
}

function drawAudience({ random, ids, tagIds }: Draw, ownerId: string) {
  const roll = random();
  const visibility =
    roll < 0.8
      ? ('all users' as const)
      : roll < 0.9
        ? ('all contacts' as const)
        : roll < 0.97
          ? ('tags' as const)
          : ('private' as const);
  return { visibility, tagIds: visibility === 'tags' ? [tagIds[ids.indexOf(ownerId)]!] : [] };
}

const drawPreferences = (
  { taste, ids }: Draw,
  ownerId: string,
  { pets, luggage }: { pets: number; luggage: number },
): Preferences => ({
  pets: taste() < pets,
  luggage: taste() < luggage,
  quiet: taste() < 0.2,
  women: taste() < 0.3 && ids.indexOf(ownerId) % 2 === 0,
});

const drawStops = (draw: Draw): Place[] =>
  Array.from({ length: draw.taste() < 0.2 ? 1 + Math.floor(draw.taste() * 2) : 0 }, () => drawSpot(draw));

const drawSoon = ({ now, random, size }: Draw): Date =>
  later(now, 90 * minuteMs + random() * size.hours * 60 * minuteMs);

/** Publishes an order of one person after the other until it is not refused. */
async function publish<Order>(
  { pick, ids }: Draw,
  make: (ownerId: string) => Promise<Order>,
): Promise<Order> {
  for (;;) {
    try {
      return await make(pick(ids));
    } catch (error) {
      // The draw met a person who is taken at that time, or two places that are one: drawn again.
      if (!(error instanceof Error && 'reason' in error)) throw error;
    }
  }
}

const common = { note: '', contactWith: 'phone', flightNumber: '', eventId: null } as const;

/** @returns what each ride costs, by its id. */
async function drawRides(draw: Draw): Promise<Map<string, number>> {
  const { app, size, pick, taste } = draw;
  const costs = new Map<string, number>();
  for (let count = 0; count < size.rides; count++) {
    const { id } = await publish(draw, (ownerId) =>
      createOrder(app.platform, ownerId, {
        role: 'driver',
        ...common,
        ...drawAudience(draw, ownerId),
        preferences: drawPreferences(draw, ownerId, { pets: 0.5, luggage: 0.7 }),
        from: drawSpot(draw),
        to: drawSpot(draw),
        via: drawStops(draw),
        departsAt: drawSoon(draw).toISOString(),
        flexMinutes: pick([0, 0, 0, 10, 30]),
        seats: pick([1, 2, 3, 3, 4]),
        vehicleId: null,
        priceKind: pick(['perPerson', 'perCar']),
        costCents: 0,
        maxDetourMinutes: pick([null, null, 5, 15, 25]),
        instant: false,
      }),
    );
    costs.set(id, [0, 600, 900, 1500][Math.floor(taste() * 4)]!);
  }
  return costs;
}

async function drawRequests(draw: Draw): Promise<void> {
  const { app, size, pick } = draw;
  for (let count = 0; count < size.requests; count++) {
    await publish(draw, (ownerId) => {
      const earliestAt = drawSoon(draw);
      return createOrder(app.platform, ownerId, {
        role: 'passenger',
        ...common,
        ...drawAudience(draw, ownerId),
        preferences: drawPreferences(draw, ownerId, { pets: 0.1, luggage: 0.15 }),
        from: drawSpot(draw),
        to: drawSpot(draw),
        earliestAt: earliestAt.toISOString(),
        latestAt: later(earliestAt, pick([15, 30, 60, 180]) * minuteMs).toISOString(),
        seats: pick([1, 1, 1, 2]),
        offerCents: pick([null, null, 650, 1000]),
        walkMetres: size.onRoundedPoints === true ? 0 : 600,
      });
    });
  }
}

async function joinSome(app: BuiltApp, most: number): Promise<void> {
  const { db } = app.platform;
  let joined = 0;
  for (const request of await db.select().from(requests)) {
    if (joined >= most) return;
    const [fit] = (await ridesForRequest(app.platform, request, everything)).fits;
    if (fit === undefined) continue;
    try {
      await askToJoin(app.platform, request.passengerId, {
        rideId: fit.ride.id,
        requestId: request.id,
        message: '',
      });
      const [booking] = await bookingsOf(db, { requestIds: [request.id] });
      await acceptBooking(app.platform, booking!.id, fit.ride.driverId);
      joined++;
    } catch (error) {
      if (!(error instanceof Error && 'reason' in error)) throw error;
    }
  }
}
