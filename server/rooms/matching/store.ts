import { and, asc, countDistinct, eq, getTableColumns, gte, inArray, lte, ne, sql } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { circleReaches, neitherBlocked } from '../../tables/circles.ts';
import { bookings, requests, rides, rideStops } from '../../tables/rides.ts';
import type { Plan, PlanStop } from './rules/plan.ts';

export type RideRow = typeof rides.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;

/** Requests that still look for a ride. */
const openRequest = inArray(requests.state, ['matching', 'requesting', 'inviting']);
/** Rides that still take people along. */
const openRide = inArray(rides.state, ['matching', 'waiting']);

/** Open rides that a passenger may see, and whose driver may see the passenger's request, in the time of a wish. */
export function ridesInTime(
  db: Db,
  wish: { passengerId: string | null; requestId: string | null; earliest: Date; arriveBy: Date; now: Date },
): Promise<RideRow[]> {
  const { passengerId, requestId } = wish;
  const asked = { visibility: sql`q.visibility`, tagIds: sql`q.tag_ids` };
  const driverSeesRequest =
    requestId === null
      ? undefined
      : sql`exists (select 1 from requests q where q.id = ${requestId} and ${circleReaches(asked, sql`q.passenger_id`, rides.driverId)})`;
  return db
    .select()
    .from(rides)
    .where(
      and(
        openRide,
        gte(rides.latestDepartsAt, wish.now),
        lte(rides.earliestDepartsAt, wish.arriveBy),
        // The ride with its whole detour used up ends before the passenger may leave: no stop can be in time.
        sql`${rides.arrivesAt} + ((${rides.maxDetourMs} + extract(epoch from ${rides.latestDepartsAt} - ${rides.earliestDepartsAt}) * 1000) * interval '1 millisecond') >= ${wish.earliest.toISOString()}`,
        circleReaches(rides, rides.driverId, passengerId),
        driverSeesRequest,
        passengerId === null ? undefined : ne(rides.driverId, passengerId),
      ),
    )
    .orderBy(asc(rides.departsAt), asc(rides.id));
}

/** Open requests in the time of a ride, both sides in each other's circles. */
export function requestsInTime(
  db: Db,
  ride: RideRow,
  { from, until, now }: { from: Date; until: Date; now: Date },
): Promise<RequestRow[]> {
  return db
    .select(getTableColumns(requests))
    .from(requests)
    .innerJoin(rides, eq(rides.id, ride.id))
    .where(
      and(
        openRequest,
        gte(requests.latestAt, now),
        lte(requests.earliestAt, until),
        gte(requests.arriveBy, from),
        ne(requests.passengerId, ride.driverId),
        circleReaches(requests, requests.passengerId, ride.driverId),
        circleReaches(rides, rides.driverId, requests.passengerId),
      ),
    )
    .orderBy(asc(requests.earliestAt), asc(requests.id));
}

/** People with an open request, each counted once, whom the ride's circle reaches. */
export async function waitingWhoSee(db: Db, rideId: string, now: Date): Promise<number> {
  const rows = await db
    .select({ people: countDistinct(requests.passengerId) })
    .from(requests)
    .innerJoin(rides, eq(rides.id, rideId))
    .where(
      and(
        openRequest,
        gte(requests.latestAt, now),
        ne(requests.passengerId, rides.driverId),
        circleReaches(rides, rides.driverId, requests.passengerId),
      ),
    );
  return rows[0]?.people ?? 0;
}

/** Whether two people may see each other's ride and request, whatever the roads say. */
export async function seeEachOther(db: Db, rideId: string, requestId: string): Promise<boolean> {
  const rows = await db
    .select({ id: rides.id })
    .from(rides)
    .innerJoin(requests, eq(requests.id, requestId))
    .where(
      and(
        eq(rides.id, rideId),
        circleReaches(rides, rides.driverId, requests.passengerId),
        circleReaches(requests, requests.passengerId, rides.driverId),
      ),
    );
  return rows.length > 0;
}

export async function blockBetween(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select ${neitherBlocked(sql`${a}::uuid`, sql`${b}::uuid`)} as free`,
  );
  return rows[0]?.free !== true;
}

/** The plans of rides as agreed, each stop with the windows of the passenger it serves. */
export async function plansOf(db: Db, rows: readonly RideRow[]): Promise<Map<string, Plan>> {
  if (rows.length === 0) return new Map();
  const stops = await db
    .select({
      ...getTableColumns(rideStops),
      earliestAt: requests.earliestAt,
      latestAt: requests.latestAt,
      arriveBy: requests.arriveBy,
    })
    .from(rideStops)
    .leftJoin(bookings, eq(bookings.id, rideStops.bookingId))
    .leftJoin(requests, eq(requests.id, bookings.requestId))
    .where(
      inArray(
        rideStops.rideId,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(rideStops.rideId), asc(rideStops.position));
  const byRide = new Map<string, PlanStop[]>();
  for (const stop of stops) {
    const list = byRide.get(stop.rideId) ?? [];
    list.push({
      kind: stop.kind,
      bookingId: stop.bookingId,
      lon: stop.lon,
      lat: stop.lat,
      standsMs: stop.standsMs,
      toNextMs: stop.toNextMs,
      toNextMetres: stop.toNextMetres,
      seatsTaken: stop.seatsTaken,
      earliestMs: stop.kind === 'pickup' ? (stop.earliestAt?.getTime() ?? -Infinity) : -Infinity,
      latestMs:
        (stop.kind === 'pickup'
          ? stop.latestAt
          : stop.kind === 'dropoff'
            ? stop.arriveBy
            : null
        )?.getTime() ?? Infinity,
    });
    byRide.set(stop.rideId, list);
  }
  return new Map(
    rows.map((row) => [
      row.id,
      {
        stops: byRide.get(row.id) ?? [],
        seats: row.seats,
        departsMs: row.departsAt.getTime(),
        earliestDepartsMs: row.earliestDepartsAt.getTime(),
        latestDepartsMs: row.latestDepartsAt.getTime(),
        aloneMs: row.driveMs,
        maxDetourMs: row.maxDetourMs,
      },
    ]),
  );
}

/** Seats joined so far in each ride, for the share of a car's price. */
export async function joinedSeats(db: Db, rideIds: readonly string[]): Promise<Map<string, number>> {
  if (rideIds.length === 0) return new Map();
  const rows = await db
    .select({ rideId: bookings.rideId, seats: sql<string>`sum(${bookings.seats})` })
    .from(bookings)
    .where(
      and(
        inArray(bookings.rideId, [...rideIds]),
        inArray(bookings.state, ['joined', 'waiting', 'driver reached', 'picking', 'picked']),
      ),
    )
    .groupBy(bookings.rideId);
  return new Map(rows.map((row) => [row.rideId, Number(row.seats)]));
}

export async function rideById(db: Db, id: string): Promise<RideRow | null> {
  return (await db.select().from(rides).where(eq(rides.id, id)))[0] ?? null;
}

export async function requestById(db: Db, id: string): Promise<RequestRow | null> {
  return (await db.select().from(requests).where(eq(requests.id, id)))[0] ?? null;
}
