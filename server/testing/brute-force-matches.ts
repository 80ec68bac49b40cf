import type { Preferences } from '#contract/rides/preferences.ts';
import type { LonLat, RoadNetwork } from '#roads/graph/network.ts';
import type { BuiltApp } from '../app.ts';
import { roadNetwork } from '../features/geo/region-roads.ts';
import type { RequestRow, RideRow } from '../features/matching/service.ts';
import { blocks, contacts, taggedContacts } from '../schema/contacts.ts';
import { users } from '../schema/identity.ts';
import { bookings, requests, rides, rideStops } from '../schema/rides.ts';
import { tryEverything, type BruteRide, type BruteSpot, type BruteWish } from './brute-force.ts';

/** Pets and luggage are welcome, and both or neither are for women among themselves. */
export const goTogether = (ride: Preferences, request: Preferences): boolean =>
  (!request.pets || ride.pets) && (!request.luggage || ride.luggage) && request.women === ride.women;

/** A rule of matching that trying everything can do without. */
export type DroppedRule = 'seats' | 'price' | 'detour' | 'window' | 'departure' | 'walk';

/**
 * The people who see each order, from the current contacts, tags and blocks, in another way than the server
 * asks.
 */
export async function readAudiences(
  db: BuiltApp['platform']['db'],
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
 * One search from each place answers all questions from there; the times are those of `travel`, as the road
 * tests show.
 */
export function travelBySearch(network: RoadNetwork): RoadNetwork['travel'] {
  const searches = new Map<string, ReturnType<RoadNetwork['travelFrom']>>();
  return (from, to) => {
    const key = `${from.lon},${from.lat}`;
    const search = searches.get(key) ?? network.travelFrom(from);
    searches.set(key, search);
    return search(to);
  };
}

/** A passenger's door and the meeting points within their walk. */
export function bruteSpots(
  network: RoadNetwork,
  door: LonLat,
  near: RequestRow['pickupMeetingPoints'],
  walkMetres: number,
): BruteSpot[] {
  // 80 metres a minute; at the door there is no walk.
  return [
    { point: network.snap(door)!, walkMs: 0 },
    ...near
      .filter((spot) => spot.walkMetres <= walkMetres)
      .map((spot) => ({ point: network.snap(spot)!, walkMs: spot.walkMetres * 750 })),
  ];
}

/**
 * All matches of each request, found by trying everything, from the tables alone: ride id → least extra
 * milliseconds.
 * @param dropped a rule that is not asked for: `window` is the passenger's, `departure` the driver's own
 *   limits.
 */
export async function bruteForceMatches(
  app: BuiltApp,
  wanted: readonly RequestRow[],
  dropped: DroppedRule | null = null,
): Promise<Map<string, Map<string, number>>> {
  const { db, clock } = app.platform;
  const network = roadNetwork(app.platform);
  const allRides = await readRides(app);
  const now = clock.now();
  const sees = await readAudiences(db);
  const travel = travelBySearch(network);
  return new Map(
    wanted.map((request) => {
      const fits = new Map<string, number>();
      const wish = bruteWishOf(network, request, dropped);
      for (const { ride, brute, joinedSeats } of allRides) {
        if (!['matching', 'waiting'].includes(ride.state) || ride.latestDepartsAt < now) continue;
        if (ride.driverId === request.passengerId || !goTogether(ride, request)) continue;
        if (!sees(ride, ride.driverId, request.passengerId)) continue;
        if (!sees(request, request.passengerId, ride.driverId)) continue;
        if (isTooDear(ride, request, joinedSeats) && dropped !== 'price') continue;
        const extra = tryEverything(relaxed(brute, dropped), wish, travel);
        if (extra !== null) fits.set(ride.id, extra);
      }
      return [request.id, fits];
    }),
  );
}

interface ReadRide {
  ride: RideRow;
  brute: BruteRide;
  joinedSeats: number;
}

async function readRides(app: BuiltApp): Promise<ReadRide[]> {
  const { db } = app.platform;
  const allRides = await db.select().from(rides);
  const [allStops, allBookings, allRequests] = [
    await db.select().from(rideStops),
    await db.select().from(bookings),
    await db.select().from(requests),
  ];
  return allRides.map((ride) => {
    const stops = allStops
      .filter((stop) => stop.rideId === ride.id)
      .toSorted((a, b) => a.position - b.position)
      .map((stop) => {
        const booking = allBookings.find((each) => each.id === stop.bookingId);
        const request = allRequests.find((each) => each.id === booking?.requestId);
        const isPickup = stop.kind === 'pickup';
        return {
          point: roadNetwork(app.platform).snap(stop)!,
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
}

function bruteWishOf(network: RoadNetwork, request: RequestRow, dropped: DroppedRule | null): BruteWish {
  const walkMetres = dropped === 'walk' ? Infinity : request.walkMetres;
  const from = { lon: request.fromLon, lat: request.fromLat };
  const to = { lon: request.toLon, lat: request.toLat };
  const anyTime = dropped === 'window';
  return {
    pickups: bruteSpots(network, from, request.pickupMeetingPoints, walkMetres),
    dropoffs: bruteSpots(network, to, request.dropoffMeetingPoints, walkMetres),
    seats: dropped === 'seats' ? 0 : request.seats,
    earliestMs: anyTime ? -Infinity : request.earliestAt.getTime(),
    latestMs: anyTime ? Infinity : request.latestAt.getTime(),
    arriveByMs: anyTime ? Infinity : request.arriveBy.getTime(),
  };
}

const relaxed = (brute: BruteRide, dropped: DroppedRule | null): BruteRide => ({
  ...brute,
  ...(dropped === 'detour' ? { maxDetourMs: Infinity } : {}),
  ...(dropped === 'departure' ? { earliestDepartsMs: 0, latestDepartsMs: Infinity } : {}),
});

function isTooDear(ride: RideRow, request: RequestRow, joinedSeats: number): boolean {
  const shareCents =
    ride.priceKind === 'perPerson'
      ? ride.costCents * request.seats
      : Math.ceil((ride.costCents * request.seats) / (joinedSeats + request.seats));
  return request.offerCents !== null && shareCents > request.offerCents * request.seats;
}
