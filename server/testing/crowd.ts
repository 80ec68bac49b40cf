import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Preferences } from '#contract/rides/preferences.ts';
import { roundedPoint } from '#contract/units.ts';
import { later, minuteMs } from '../platform/clock.ts';
import type { App } from '../app.ts';
import type { RequestRow, RideRow } from '../features/matching/service.ts';
import { blocks, contacts, taggedContacts, tags } from '../schema/contacts.ts';
import { users } from '../schema/identity.ts';
import { bookings, requests, rides, rideStops } from '../schema/rides.ts';
import { tryEverything, type BruteRide } from './brute-force.ts';
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
  /** All places lie on their rounded points, and each person is picked up at the door: rounding changes nothing. */
  onRoundedPoints?: boolean;
}

/** Fills an app with people, circles, rides and requests on real roads, drawn from a seed. */
export async function drawCrowd(app: App, size: CrowdSize): Promise<void> {
  const random = randomFrom(size.seed);
  const taste = randomFrom(size.seed + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
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

  const spot = () => {
    for (;;) {
      const [lon, lat] = pick(hubs);
      const drawn = { lon: lon + (random() - 0.5) * 0.03, lat: lat + (random() - 0.5) * 0.024 };
      const at = size.onRoundedPoints === true ? roundedPoint(drawn) : drawn;
      if (app.features.matching.pointAt(at) !== null) return { name: 'Somewhere', detail: '', ...at };
    }
  };
  const circle = (ownerId: string) => {
    const roll = random();
    const visibility =
      roll < 0.8
        ? ('all users' as const)
        : roll < 0.9
          ? ('all contacts' as const)
          : roll < 0.97
            ? ('tags' as const)
            : ('private' as const);
    return { visibility, tagIds: visibility === 'tags' ? [ownTags[ids.indexOf(ownerId)]!.id] : [] };
  };
  const likes = (ownerId: string, pets: number, luggage: number): Preferences => ({
    pets: taste() < pets,
    luggage: taste() < luggage,
    quiet: taste() < 0.2,
    women: taste() < 0.3 && ids.indexOf(ownerId) % 2 === 0,
  });
  const stopsOnTheWay = () => Array.from({ length: taste() < 0.2 ? 1 + Math.floor(taste() * 2) : 0 }, spot);
  const common = { note: '', contactWith: 'phone', flightNumber: '', eventId: null } as const;
  const published = async <Order>(make: (ownerId: string) => Promise<Order>): Promise<Order> => {
    for (;;) {
      try {
        return await make(pick(ids));
      } catch (error) {
        // The draw met somebody who is taken at that time, or two places that are one: drawn again.
        if (!(error instanceof Error && 'reason' in error)) throw error;
      }
    }
  };
  const soon = () => later(now, 90 * minuteMs + random() * size.hours * 60 * minuteMs);

  const costs = new Map<string, number>();
  for (let count = 0; count < size.rides; count++) {
    const { id } = await published((ownerId) =>
      app.features.orders.create(ownerId, {
        role: 'driver',
        ...common,
        ...circle(ownerId),
        preferences: likes(ownerId, 0.5, 0.7),
        from: spot(),
        to: spot(),
        via: stopsOnTheWay(),
        departsAt: soon().toISOString(),
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
  for (let count = 0; count < size.requests; count++) {
    await published((ownerId) => {
      const earliestAt = soon();
      return app.features.orders.create(ownerId, {
        role: 'passenger',
        ...common,
        ...circle(ownerId),
        preferences: likes(ownerId, 0.1, 0.15),
        from: spot(),
        to: spot(),
        earliestAt: earliestAt.toISOString(),
        latestAt: later(earliestAt, pick([15, 30, 60, 180]) * minuteMs).toISOString(),
        seats: pick([1, 1, 1, 2]),
        offerCents: pick([null, null, 650, 1000]),
        walkMetres: size.onRoundedPoints === true ? 0 : 600,
      });
    });
  }
  await joinSome(app, size.joined);
  // Prices need a vehicle, an account and cards; what a ride costs is all that matters here, so it is set afterwards.
  // Drawn like all else, never from an id: the same seed has to make the same crowd.
  await db.execute(sql`
    update rides set cost_cents = drawn.cost from
      json_to_recordset(${JSON.stringify([...costs].map(([id, cost]) => ({ id, cost })))}) as drawn(id uuid, cost integer)
    where rides.id = drawn.id`);
}

async function joinSome(app: App, most: number): Promise<void> {
  const { db } = app.platform;
  let joined = 0;
  for (const request of await db.select().from(requests)) {
    if (joined >= most) return;
    const [fit] = await app.features.matching.ridesForRequest(request);
    if (fit === undefined) continue;
    try {
      await app.features.orders.bookings.ask(request.passengerId, {
        rideId: fit.ride.id,
        requestId: request.id,
        message: '',
      });
      const [booking] = await app.features.orders.bookingsOf(db, { requestIds: [request.id] });
      await app.features.orders.bookings.accept(booking!.id, fit.ride.driverId);
      joined++;
    } catch (error) {
      if (!(error instanceof Error && 'reason' in error)) throw error;
    }
  }
}

/** What comes along is welcome, and both or neither are for women among themselves. */
export const goTogether = (ride: Preferences, request: Preferences): boolean =>
  (!request.pets || ride.pets) && (!request.luggage || ride.luggage) && request.women === ride.women;

/** A rule of matching that trying everything can do without. */
export type DroppedRule = 'seats' | 'price' | 'detour' | 'window' | 'departure' | 'walk';

/** Who sees whose order, asked of the circles as they stand now and in another way than the server asks. */
export async function readCircles(
  db: App['platform']['db'],
): Promise<
  (order: Pick<RideRow, 'visibility' | 'tagIds' | 'women'>, ownerId: string, viewerId: string) => boolean
> {
  const [women, allContacts, allTagged, allBlocks] = [
    new Set((await db.select().from(users)).flatMap(({ id, gender }) => (gender === 'female' ? [id] : []))),
    await db.select().from(contacts),
    await db.select().from(taggedContacts),
    await db.select().from(blocks),
  ];
  return (order, ownerId, viewerId) => {
    if (
      allBlocks.some(
        (each) =>
          (each.blockerId === ownerId && each.blockedId === viewerId) ||
          (each.blockerId === viewerId && each.blockedId === ownerId),
      )
    )
      return false;
    if (order.women && !(women.has(ownerId) && women.has(viewerId))) return false;
    if (order.visibility === 'all contacts')
      return allContacts.some((each) => each.ownerId === ownerId && each.otherId === viewerId);
    if (order.visibility === 'tags')
      return allTagged.some((each) => order.tagIds.includes(each.tagId) && each.userId === viewerId);
    return order.visibility === 'all users';
  };
}

/**
 * What trying everything finds for each request, from the tables alone: ride id → least extra milliseconds.
 * @param dropped a rule that is not asked for: `window` is the passenger's, `departure` the driver's own limits.
 */
export async function bruteForceMatches(
  app: App,
  wanted: readonly RequestRow[],
  dropped: DroppedRule | null = null,
): Promise<Map<string, Map<string, number>>> {
  const { db } = app.platform;
  const { network } = app.features.geo;
  const allRides = await db.select().from(rides);
  const [allStops, allBookings, allRequests] = [
    await db.select().from(rideStops),
    await db.select().from(bookings),
    await db.select().from(requests),
  ];
  const now = app.platform.clock.now();
  const sees = await readCircles(db);
  // One search from each place answers all questions from there; the times are those of `travel`, as the road tests show.
  const searches = new Map<string, ReturnType<typeof network.travelFrom>>();
  const travel: typeof network.travel = (from, to) => {
    const key = `${from.lon},${from.lat}`;
    const search = searches.get(key) ?? network.travelFrom(from);
    searches.set(key, search);
    return search(to);
  };
  const point = (at: { lon: number; lat: number }) => network.snap(at)!;
  const bruteRides = allRides.map((ride): { ride: RideRow; brute: BruteRide; joinedSeats: number } => {
    const stops = allStops
      .filter((stop) => stop.rideId === ride.id)
      .toSorted((a, b) => a.position - b.position)
      .map((stop) => {
        const booking = allBookings.find((each) => each.id === stop.bookingId);
        const request = allRequests.find((each) => each.id === booking?.requestId);
        const isPickup = stop.kind === 'pickup';
        return {
          point: point(stop),
          standsMs: stop.standsMs,
          seatsChange: booking === undefined ? 0 : isPickup ? booking.seats : -booking.seats,
          earliestMs: isPickup ? request!.earliestAt.getTime() + booking!.pickupWalkMs : -Infinity,
          latestMs:
            request === undefined
              ? Infinity
              : isPickup
                ? request.latestAt.getTime()
                : request.arriveBy.getTime() - booking!.dropoffWalkMs,
        };
      });
    const brute = {
      stops,
      seats: ride.seats,
      trafficPermille: ride.trafficPermille,
      aloneMs: ride.driveMs,
      maxDetourMs: ride.maxDetourMs,
      earliestDepartsMs: ride.earliestDepartsAt.getTime(),
      latestDepartsMs: ride.latestDepartsAt.getTime(),
    };
    const aboard = allBookings.filter((each) => each.rideId === ride.id && each.state === 'joined');
    return { ride, brute, joinedSeats: aboard.reduce((sum, each) => sum + each.seats, 0) };
  });
  return new Map(
    wanted.map((request) => {
      const fits = new Map<string, number>();
      // 80 metres a minute; at the door nobody walks.
      const spots = (door: { lon: number; lat: number }, near: RequestRow['pickupSpots']) => [
        { point: point(door), walkMs: 0 },
        ...near
          .filter(({ walkMetres }) => walkMetres <= request.walkMetres || dropped === 'walk')
          .map((spot) => ({ point: point(spot), walkMs: spot.walkMetres * 750 })),
      ];
      const pickups = spots({ lon: request.fromLon, lat: request.fromLat }, request.pickupSpots);
      const dropoffs = spots({ lon: request.toLon, lat: request.toLat }, request.dropoffSpots);
      for (const { ride, brute, joinedSeats } of bruteRides) {
        if (
          !['matching', 'waiting'].includes(ride.state) ||
          ride.latestDepartsAt < now ||
          ride.driverId === request.passengerId
        )
          continue;
        if (
          !sees(ride, ride.driverId, request.passengerId) ||
          !sees(request, request.passengerId, ride.driverId)
        )
          continue;
        if (!goTogether(ride, request)) continue;
        const share =
          ride.priceKind === 'perPerson'
            ? ride.costCents * request.seats
            : Math.ceil((ride.costCents * request.seats) / (joinedSeats + request.seats));
        const tooDear = request.offerCents !== null && share > request.offerCents * request.seats;
        if (tooDear && dropped !== 'price') continue;
        const anyTime = dropped === 'window';
        const wish = {
          pickups,
          dropoffs,
          seats: dropped === 'seats' ? 0 : request.seats,
          earliestMs: anyTime ? -Infinity : request.earliestAt.getTime(),
          latestMs: anyTime ? Infinity : request.latestAt.getTime(),
          arriveByMs: anyTime ? Infinity : request.arriveBy.getTime(),
        };
        const relaxed = {
          ...brute,
          ...(dropped === 'detour' ? { maxDetourMs: Infinity } : {}),
          ...(dropped === 'departure' ? { earliestDepartsMs: 0, latestDepartsMs: Infinity } : {}),
        };
        const extra = tryEverything(relaxed, wish, travel);
        if (extra !== null) fits.set(ride.id, extra);
      }
      return [request.id, fits];
    }),
  );
}
