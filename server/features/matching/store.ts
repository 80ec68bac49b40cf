import { joinableRideStates, openRequestStates, seatedStates } from '#contract/rides/moves.ts';
import { and, asc, countDistinct, eq, getTableColumns, gt, gte, inArray, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { areWomen, circleReaches, isActive, neitherBlocked } from '../../schema/audience.ts';
import { blocks } from '../../schema/contacts.ts';
import { bookings, requests, rides, rideStops } from '../../schema/rides.ts';
import type { Change } from './engine/engine.ts';
import type { Plan, PlanStop } from './rules/plan.ts';
import { maskOf } from './rules/preferences.ts';
import { door, meetingSpot, type Spot, type Wish } from './rules/wish.ts';

export type RideRow = typeof rides.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;

/** Requests that still look for a ride. */
const openRequest = inArray(requests.state, [...openRequestStates]);
/** Rides that still take people along. */
const openRide = inArray(rides.state, [...joinableRideStates]);

/** What has been committed to orders by transactions from a number on, and from where to look the next time. */
export async function changesFrom(
  db: Db,
  fromXid: string | null,
): Promise<{ nextXid: string; changes: { id: number; orderId: string }[] }> {
  // One statement, so that both are of one snapshot: nothing can commit between them.
  const found = await db.execute<{ next_xid: string; changes: { id: number; orderId: string }[] }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as next_xid,
      coalesce((select json_agg(json_build_object('id', id, 'orderId', order_id) order by id)
        from order_changes where xid >= ${fromXid}::xid8), '[]') as changes`);
  const { next_xid: nextXid, changes } = found.rows[0]!;
  return { nextXid, changes };
}

/** Forgets changes that every index has long taken in. */
export async function pruneChanges(db: Db): Promise<void> {
  await db.execute(sql`delete from order_changes where at < now() - interval '1 hour'`);
}

/** Some orders as the index is to know them: those that are open as they stand, the others gone. */
export async function changesOf(db: Db, orderIds: readonly string[]): Promise<Change[]> {
  const ids = [...orderIds];
  const [openRides, openRequests] = await Promise.all([
    db
      .select()
      .from(rides)
      .where(and(inArray(rides.id, ids), openRide)),
    db
      .select()
      .from(requests)
      .where(and(inArray(requests.id, ids), openRequest)),
  ]);
  const open = new Set([...openRides, ...openRequests].map(({ id }) => id));
  const gone = ids.filter((id) => !open.has(id)).map((id): Change => ({ kind: 'gone', id }));
  return [...gone, ...(await rideChanges(db, openRides)), ...openRequests.map(requestChange)];
}

/** All open orders, some at a time. */
export async function* allOpenOrders(db: Db, atOnce: number): AsyncGenerator<Change[]> {
  for (let after = nobodysId; ;) {
    const rows = await db
      .select()
      .from(rides)
      .where(and(openRide, gt(rides.id, after)))
      .orderBy(asc(rides.id))
      .limit(atOnce);
    if (rows.length === 0) break;
    yield await rideChanges(db, rows);
    after = rows.at(-1)!.id;
  }
  for (let after = nobodysId; ;) {
    const rows = await db
      .select()
      .from(requests)
      .where(and(openRequest, gt(requests.id, after)))
      .orderBy(asc(requests.id))
      .limit(atOnce);
    if (rows.length === 0) break;
    yield rows.map(requestChange);
    after = rows.at(-1)!.id;
  }
}

const nobodysId = '00000000-0000-0000-0000-000000000000';

async function rideChanges(db: Db, rows: readonly RideRow[]): Promise<Change[]> {
  const [plans, joined] = await Promise.all([
    plansOf(db, rows),
    joinedSeats(
      db,
      rows.map((row) => row.id),
    ),
  ]);
  return rows.flatMap((row): Change[] => {
    const plan = plans.get(row.id);
    // Published, but its stops are still on their way: they come as a change of their own.
    if (plan === undefined || plan.stops.length < 2) return [{ kind: 'gone', id: row.id }];
    const { id, driverId, priceKind, costCents, visibility } = row;
    // Whom an order for women reaches is for the database to say.
    const isPublic = visibility === 'all users' && !row.women;
    const joinedSeats = joined.get(id) ?? 0;
    return [{ kind: 'ride', ride: { id, driverId, isPublic, plan, priceKind, costCents, joinedSeats } }];
  });
}

function requestChange(row: RequestRow): Change {
  const { id, passengerId, offerCents, visibility } = row;
  const isPublic = visibility === 'all users' && !row.women;
  return { kind: 'request', request: { id, passengerId, isPublic, wish: wishOf(row), offerCents } };
}

/** What a published request wishes for. */
export function wishOf(row: RequestRow): Wish {
  return {
    seats: row.seats,
    pickups: [door({ lon: row.fromLon, lat: row.fromLat }), ...row.pickupSpots.map(meetingSpot)],
    dropoffs: [door({ lon: row.toLon, lat: row.toLat }), ...row.dropoffSpots.map(meetingSpot)],
    walkMetres: row.walkMetres,
    earliestMs: row.earliestAt.getTime(),
    latestMs: row.latestAt.getTime(),
    arriveByMs: row.arriveBy.getTime(),
    preferences: maskOf(row),
  };
}

/** Where the two of a booking have agreed to meet, or to part. */
export const agreedSpot = (booking: BookingRow, end: 'pickup' | 'dropoff'): Spot => ({
  lon: booking[`${end}Lon`],
  lat: booking[`${end}Lat`],
  walkMetres: booking[`${end}WalkMetres`],
  walkMs: booking[`${end}WalkMs`],
  name: booking[`${end}Name`],
});

/** People between whom and somebody there is a block, whoever made it. */
export async function blockedWith(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select()
    .from(blocks)
    .where(or(eq(blocks.blockerId, userId), eq(blocks.blockedId, userId)));
  return rows.map(({ blockerId, blockedId }) => (blockerId === userId ? blockedId : blockerId));
}

/**
 * Of some rides those that a passenger may see, and whose driver may see the passenger's request; with their drivers.
 * @param of.women whether the passenger wants to be among women; theirs and the ride's choice are the same.
 */
export function visibleRides(
  db: Db,
  of: {
    rideIds: readonly string[];
    passengerId: string | null;
    requestId: string | null;
    women: boolean;
    now: Date;
  },
): Promise<{ id: string; personId: string }[]> {
  const { rideIds, passengerId, requestId } = of;
  if (rideIds.length === 0) return Promise.resolve([]);
  const asked = {
    id: sql`q.id`,
    visibility: sql`q.visibility`,
    tagIds: sql`q.tag_ids`,
    women: sql`q.women`,
  };
  return db
    .select({ id: rides.id, personId: rides.driverId })
    .from(rides)
    .where(
      and(
        inArray(rides.id, [...rideIds]),
        openRide,
        gte(rides.latestDepartsAt, of.now),
        eq(rides.women, of.women),
        circleReaches(rides, rides.driverId, passengerId),
        requestId === null
          ? undefined
          : sql`exists (select 1 from requests q where q.id = ${requestId} and ${circleReaches(asked, sql`q.passenger_id`, rides.driverId)})`,
        passengerId === null ? undefined : ne(rides.driverId, passengerId),
      ),
    );
}

/** Of some requests those whose circle and the ride's reach each other; with their passengers. */
export function visibleRequests(
  db: Db,
  of: { ride: RideRow; requestIds: readonly string[]; now: Date },
): Promise<{ id: string; personId: string }[]> {
  const { ride, requestIds } = of;
  if (requestIds.length === 0) return Promise.resolve([]);
  return db
    .select({ id: requests.id, personId: requests.passengerId })
    .from(requests)
    .innerJoin(rides, eq(rides.id, ride.id))
    .where(
      and(
        inArray(requests.id, [...requestIds]),
        openRequest,
        gte(requests.latestAt, of.now),
        ne(requests.passengerId, ride.driverId),
        eq(requests.women, rides.women),
        circleReaches(requests, requests.passengerId, ride.driverId),
        circleReaches(rides, rides.driverId, requests.passengerId),
      ),
    );
}

/** How people have answered so far: drivers to asks, passengers to invitations. Those closed by others do not count. */
export async function answersOf(
  db: Db,
  side: 'driver' | 'passenger',
  ids: readonly string[],
): Promise<Map<string, { asked: number; accepted: number }>> {
  if (ids.length === 0) return new Map();
  const person = side === 'driver' ? bookings.driverId : bookings.passengerId;
  const rows = await db
    .select({
      id: person,
      asked: sql<string>`count(*) filter (where joined_at is not null or state = 'rejected' or (state = 'expired' and reason <> 'full'))`,
      accepted: sql<string>`count(*) filter (where joined_at is not null)`,
    })
    .from(bookings)
    .where(and(inArray(person, [...ids]), eq(bookings.startedBy, side === 'driver' ? 'passenger' : 'driver')))
    .groupBy(person);
  return new Map(
    rows.map(({ id, asked, accepted }) => [id, { asked: Number(asked), accepted: Number(accepted) }]),
  );
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
        eq(requests.women, rides.women),
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
        eq(requests.women, rides.women),
        circleReaches(rides, rides.driverId, requests.passengerId),
        circleReaches(requests, requests.passengerId, rides.driverId),
      ),
    );
  return rows.length > 0;
}

/** Of some rides and requests all pairs of different people who may see each other's, whatever the roads say. */
export async function pairsInSight(
  db: Db,
  rideIds: readonly string[],
  requestIds: readonly string[],
): Promise<{ rideId: string; requestId: string }[]> {
  if (rideIds.length === 0 || requestIds.length === 0) return [];
  return db
    .select({ rideId: rides.id, requestId: requests.id })
    .from(rides)
    .innerJoin(requests, inArray(requests.id, [...requestIds]))
    .where(
      and(
        inArray(rides.id, [...rideIds]),
        ne(rides.driverId, requests.passengerId),
        eq(requests.women, rides.women),
        circleReaches(rides, rides.driverId, requests.passengerId),
        circleReaches(requests, requests.passengerId, rides.driverId),
      ),
    )
    .orderBy(asc(rides.id), asc(requests.id));
}

/** Whether both may ride: neither is suspended at this moment. */
export async function bothActive(db: Db, a: string, b: string): Promise<boolean> {
  const found = await db.execute<{ both: boolean }>(
    sql`select ${isActive(sql`${a}::uuid`)} and ${isActive(sql`${b}::uuid`)} as both`,
  );
  return found.rows[0]?.both ?? false;
}

export async function blockBetween(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select ${neitherBlocked(sql`${a}::uuid`, sql`${b}::uuid`)} as free`,
  );
  return rows[0]?.free !== true;
}

/** Whether the profiles of two people both say female. */
export async function bothWomen(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await db.execute<{ are: boolean }>(
    sql`select ${areWomen(sql`${a}::uuid`, sql`${b}::uuid`)} as are`,
  );
  return rows[0]?.are === true;
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
      pickupWalkMs: bookings.pickupWalkMs,
      dropoffWalkMs: bookings.dropoffWalkMs,
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
      ...windowOf(stop),
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
        trafficPermille: row.trafficPermille,
        aloneMs: row.driveMs,
        maxDetourMs: row.maxDetourMs,
        preferences: maskOf(row),
      },
    ]),
  );
}

/** When the passenger of a stop must be met there: after their walk to it, and in time for the walk that follows. */
function windowOf(stop: {
  kind: PlanStop['kind'];
  earliestAt: Date | null;
  latestAt: Date | null;
  arriveBy: Date | null;
  pickupWalkMs: number | null;
  dropoffWalkMs: number | null;
}): Pick<PlanStop, 'earliestMs' | 'latestMs'> {
  const { kind, earliestAt, latestAt, arriveBy } = stop;
  if (kind === 'pickup' && earliestAt !== null && latestAt !== null)
    return { earliestMs: earliestAt.getTime() + (stop.pickupWalkMs ?? 0), latestMs: latestAt.getTime() };
  if (kind === 'dropoff' && arriveBy !== null)
    return { earliestMs: -Infinity, latestMs: arriveBy.getTime() - (stop.dropoffWalkMs ?? 0) };
  return { earliestMs: -Infinity, latestMs: Infinity };
}

/** Seats joined so far in each ride, for the share of a car's price. */
export async function joinedSeats(db: Db, rideIds: readonly string[]): Promise<Map<string, number>> {
  if (rideIds.length === 0) return new Map();
  const rows = await db
    .select({ rideId: bookings.rideId, seats: sql<string>`sum(${bookings.seats})` })
    .from(bookings)
    .where(and(inArray(bookings.rideId, [...rideIds]), inArray(bookings.state, [...seatedStates])))
    .groupBy(bookings.rideId);
  return new Map(rows.map((row) => [row.rideId, Number(row.seats)]));
}

export function ridesByIds(db: Db, ids: readonly string[]): Promise<RideRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(rides)
    .where(inArray(rides.id, [...ids]));
}

export function requestsByIds(db: Db, ids: readonly string[]): Promise<RequestRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(requests)
    .where(inArray(requests.id, [...ids]));
}
