import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  notInArray,
  sql,
  type Placeholder,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import {
  endedRequestStates,
  endedRideStates,
  joinableRideStates,
  openRequestStates,
  seatedStates,
} from '#contract/rides/moves.ts';
import type { Place } from '#contract/units.ts';
import { namedStatement, type Db } from '../../platform/database/db.ts';
import { readNamed, type Reader } from '../../platform/database/kept-statements.ts';
import type { RegionPart } from '../../platform/process-roles.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import { scanFirst } from '../../platform/database/scan-first.ts';
import { sqlWords } from '../../platform/database/sql-words.ts';
import { columnsOf } from '../../platform/database/subquery-columns.ts';
import { fromOf, toOf } from './rules/ends.ts';
import { bookings, moveHistory, recurringRides, requests, rides, rideStops } from '../../schema/rides.ts';

export type RideRow = typeof rides.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;
export type HistoryRow = typeof moveHistory.$inferSelect;

/**
 * True for rows found by an id that are in one of some states. The array is one parameter: a prepared plan
 * that knew the states would read a whole index of them while that is small.
 */
export const isInState = (state: SQLWrapper, states: readonly string[]): SQL =>
  sql`${state} = any(${sql.param([...states])}::text[])`;

/** Rides that passengers can still join. */
export const openRide = sql`${rides.state} in ${sqlWords(joinableRideStates)}`;
/** Requests that still need a ride. */
export const openRequest = sql`${requests.state} in ${sqlWords(openRequestStates)}`;

/** Rides that passengers can join and that can still leave, all columns, to be joined in SQL. */
export const openRides = (db: Db, now: Date) =>
  db
    .select()
    .from(rides)
    .where(and(openRide, gte(rides.latestDepartsAt, now)))
    .as('open_rides');

/** The same of one id, for a lateral join: looked up by it, however many are open. */
export const openRideOf = (db: Db, id: SQLWrapper, now: Date | Placeholder) =>
  db
    .select()
    .from(rides)
    .where(and(eq(rides.id, id), openRide, gte(rides.latestDepartsAt, now)))
    .limit(1)
    .as('open_rides');

/** Open requests whose time is not over, all columns, to be joined in SQL. */
export const openRequests = (db: Db, now: Date) =>
  db
    .select()
    .from(requests)
    .where(and(openRequest, gte(requests.latestAt, now)))
    .as('open_requests');

/** The same of one id, for a lateral join. */
export const openRequestOf = (db: Db, id: SQLWrapper, now: Date | Placeholder) =>
  db
    .select()
    .from(requests)
    .where(and(eq(requests.id, id), openRequest, gte(requests.latestAt, now)))
    .limit(1)
    .as('open_requests');

/** The open ones of some rides. */
export function openRidesAmong(db: Db, ids: readonly string[], now: Date): Promise<RideRow[]> {
  const ride = db
    .select()
    .from(rides)
    .where(scanFirst(isOneOf(rides.id, ids)))
    .as('ride');
  const isOpen = inArray(ride.state, [...joinableRideStates]);
  return db
    .select(columnsOf(ride))
    .from(ride)
    .where(and(isOpen, gte(ride.latestDepartsAt, now)));
}

/** The open ones of some requests. */
export function openRequestsAmong(db: Db, ids: readonly string[], now: Date): Promise<RequestRow[]> {
  const request = db
    .select()
    .from(requests)
    .where(scanFirst(isOneOf(requests.id, ids)))
    .as('request');
  const isOpen = inArray(request.state, [...openRequestStates]);
  return db
    .select(columnsOf(request))
    .from(request)
    .where(and(isOpen, gte(request.latestAt, now)));
}

/** The open rides after an id, ordered by id. */
export const openRidesAfter = (db: Db, id: string, most: number, part?: RegionPart): Promise<RideRow[]> =>
  db
    .select()
    .from(rides)
    .where(and(openRide, gt(rides.id, id), isInPart(rides, part)))
    .orderBy(asc(rides.id))
    .limit(most);

/** The open requests after an id, ordered by id. */
export const openRequestsAfter = (
  db: Db,
  id: string,
  most: number,
  part?: RegionPart,
): Promise<RequestRow[]> =>
  db
    .select()
    .from(requests)
    .where(and(openRequest, gt(requests.id, id), isInPart(requests, part)))
    .orderBy(asc(requests.id))
    .limit(most);

const isInPart = (
  { regionId }: typeof rides | typeof requests,
  part: RegionPart | undefined,
): SQL | undefined =>
  part === undefined
    ? undefined
    : part.isIn
      ? inArray(regionId, [...part.names])
      : notInArray(regionId, [...part.names]);

/** An agreed stop of a ride, with the time window and the walk of the passenger whom it serves. */
export type StopWithWindow = Pick<
  typeof rideStops.$inferSelect,
  'rideId' | 'kind' | 'bookingId' | 'lon' | 'lat' | 'standsMs' | 'toNextMs' | 'toNextMetres' | 'seatsTaken'
> & {
  [Column in 'earliestAt' | 'latestAt' | 'arriveBy']: RequestRow[Column] | null;
} & { [Column in 'pickupWalkMs' | 'dropoffWalkMs']: BookingRow[Column] | null };

const readingStops = namedStatement(sql`
  select s.ride_id as "rideId", s.kind, s.booking_id as "bookingId", s.lon, s.lat, s.stands_ms as "standsMs",
    s.to_next_ms as "toNextMs", s.to_next_metres as "toNextMetres", s.seats_taken as "seatsTaken",
    q.earliest_at as "earliestAt", q.latest_at as "latestAt", q.arrive_by as "arriveBy",
    b.pickup_walk_ms as "pickupWalkMs", b.dropoff_walk_ms as "dropoffWalkMs"
  from ride_stops s left join bookings b on b.id = s.booking_id left join requests q on q.id = b.request_id
  where s.ride_id = any(${sql.placeholder('rideIds')}::uuid[]) order by s.ride_id, s.position`);

/** The agreed stops of rides, in order. */
export const stopsWithWindows = (from: Reader, rideIds: readonly string[]): Promise<StopWithWindow[]> =>
  readNamed<StopWithWindow>(from, readingStops({ rideIds: [...rideIds] }));

/** A person's rides and requests that have not ended, rides first. */
export async function openOrdersOf(db: Db, userId: string): Promise<{ id: string; driving: boolean }[]> {
  const rows = await db.execute<{ id: string; driving: boolean }>(sql`
    select id, true as driving from rides where driver_id = ${userId} and state not in ${sqlWords(endedRideStates)}
    union all
    select id, false as driving from requests where passenger_id = ${userId} and state not in ${sqlWords(endedRequestStates)}
    order by driving desc`);
  return rows.rows;
}

/** Start, destination, time and driver of rides; to be joined in SQL. */
export const rideOutlines = (db: Db) =>
  db
    .select({
      id: rides.id,
      orderNumber: rides.orderNumber,
      driverId: rides.driverId,
      fromName: rides.fromName,
      fromDetail: rides.fromDetail,
      fromLon: rides.fromLon,
      fromLat: rides.fromLat,
      toName: rides.toName,
      toDetail: rides.toDetail,
      toLon: rides.toLon,
      toLat: rides.toLat,
      departsAt: rides.departsAt,
      timeZone: rides.timeZone,
    })
    .from(rides)
    .as('ride');

/** The facts that the times of arrival on a ride under way follow from; the columns of `drivenRides`. */
export interface DrivenRideRow {
  id: string;
  driverId: string;
  state: RideRow['state'];
  departedAt: string | null;
  viaPassed: number;
  trafficPermille: number;
  stops: (Pick<
    typeof rideStops.$inferSelect,
    'position' | 'kind' | 'bookingId' | 'lon' | 'lat' | 'toNextMs'
  > & {
    at: string;
  })[];
  bookings: Pick<BookingRow, 'id' | 'passengerId' | 'state'>[];
}

/**
 * Rides with their stops in order and the bookings that have a seat, as JSON; to be joined in SQL that runs
 * all the time.
 */
export const drivenRides = (ids: SQL): SQL => sql`
  select r.id, r.driver_id as "driverId", r.state, r.departed_at as "departedAt", r.via_passed as "viaPassed",
    r.traffic_permille as "trafficPermille",
    (select coalesce(json_agg(json_build_object('position', s.position, 'kind', s.kind, 'bookingId', s.booking_id,
        'lon', s.lon, 'lat', s.lat, 'at', s.at, 'toNextMs', s.to_next_ms) order by s.position), '[]')
      from ride_stops s where s.ride_id = r.id) as stops,
    (select coalesce(json_agg(json_build_object('id', b.id, 'passengerId', b.passenger_id, 'state', b.state)
        order by b.id), '[]')
      from bookings b where b.ride_id = r.id and b.state = any(${sql.param([...seatedStates])}::text[])) as bookings
  from rides r where r.id = any(${ids})`;

/**
 * True for a ride that has ended, or had by an instant. Reads the one row by its id, however many rides there
 * are.
 */
export const hasRideEnded = (rideId: SQLWrapper, by?: Date): SQL =>
  by === undefined
    ? sql`(select state from rides r where r.id = ${rideId}) in ${sqlWords(endedRideStates)}`
    : sql`(select ended_at from rides r where r.id = ${rideId}) <= ${by.toISOString()}`;

/** True for a vehicle of a ride that has not ended. */
export const isOnOpenRide = (db: Db, vehicleId: string) =>
  sql`exists (${db
    .select({ one: sql`1` })
    .from(rides)
    .where(and(eq(rides.vehicleId, vehicleId), sql`${rides.state} not in ${sqlWords(endedRideStates)}`))})`;

const endColumns = (table: typeof rides | typeof requests) => ({
  fromName: table.fromName,
  fromDetail: table.fromDetail,
  fromLon: table.fromLon,
  fromLat: table.fromLat,
  toName: table.toName,
  toDetail: table.toDetail,
  toLon: table.toLon,
  toLat: table.toLat,
});

/**
 * The places of a person's latest orders by departure, those published last first; may contain duplicates.
 */
export async function latestPlaces(db: Db, personId: string, orders: number): Promise<Place[]> {
  const [driven, ridden] = await Promise.all([
    db
      .select({ ...endColumns(rides), createdAt: rides.createdAt })
      .from(rides)
      .where(eq(rides.driverId, personId))
      .orderBy(desc(rides.departsAt))
      .limit(orders),
    db
      .select({ ...endColumns(requests), createdAt: requests.createdAt })
      .from(requests)
      .where(eq(requests.passengerId, personId))
      .orderBy(desc(requests.earliestAt))
      .limit(orders),
  ]);
  return [...driven, ...ridden]
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .flatMap((order) => [toOf(order), fromOf(order)]);
}

const travelColumns = (table: typeof rides | typeof requests) => ({
  ...endColumns(table),
  timeZone: table.timeZone,
  visibility: table.visibility,
  tagIds: table.tagIds,
  women: table.women,
});

/**
 * The travels of people: their recurring rides that run, and their orders since an instant that were not
 * canceled, oldest first. The days of running recurring rides are left out, and so are orders for an event,
 * which do not repeat.
 * @param most the maximum of rides, and of requests, that are read of each.
 */
export async function travelsOf(tx: Db, personIds: readonly string[], since: Date, most: number) {
  const people = sql`${sql.param([...personIds])}::uuid[]`;
  const running = await tx
    .select({
      id: recurringRides.id,
      ownerId: recurringRides.ownerId,
      template: recurringRides.template,
      timeZone: recurringRides.timeZone,
      weekdays: recurringRides.weekdays,
      localTime: recurringRides.localTime,
    })
    .from(recurringRides)
    .where(and(isOneOf(recurringRides.ownerId, personIds), eq(recurringRides.state, 'running')));
  const runningIds = sql`${sql.param(running.map(({ id }) => id))}::uuid[]`;
  const single = (table: typeof rides | typeof requests, owner: SQLWrapper, at: SQLWrapper) =>
    sql`${table.id} = any(array(select own.id from unnest(${people}) person (id) cross join lateral (
      select ${table.id} from ${table} where ${owner} = person.id and ${at} > ${since.toISOString()}
        and ${table.state} <> 'cancel' and ${table.eventId} is null
        and (${table.recurringId} is null or ${table.recurringId} <> all(${runningIds}))
      order by ${at} limit ${most}) own))`;
  // Sequential: a transaction has one connection.
  const driven = await tx
    .select({
      ...travelColumns(rides),
      ownerId: rides.driverId,
      maxDetourMs: rides.maxDetourMs,
      at: rides.departsAt,
    })
    .from(rides)
    .where(single(rides, rides.driverId, rides.departsAt))
    .orderBy(asc(rides.departsAt));
  const ridden = await tx
    .select({
      ...travelColumns(requests),
      ownerId: requests.passengerId,
      at: requests.earliestAt,
      until: requests.latestAt,
    })
    .from(requests)
    .where(single(requests, requests.passengerId, requests.earliestAt))
    .orderBy(asc(requests.earliestAt));
  return { running, driven, ridden };
}

/**
 * New orders: their owners, starts and audiences; `isFirst` is true for the first day of recurring rides, or
 * an order of none. A table expression: `from (${ordersAsNews(kind, ids)}) o`.
 */
export function ordersAsNews(kind: 'rides' | 'requests', ids: SQLWrapper): SQL {
  const isRides = kind === 'rides';
  const table = isRides ? rides : requests;
  const owner = isRides ? rides.driverId : requests.passengerId;
  const at = isRides ? rides.departsAt : requests.earliestAt;
  const earlierAt = isRides ? sql`earlier.departs_at` : sql`earlier.earliest_at`;
  return sql`select ${table.id} as id, ${owner} as owner_id, ${table.fromLon} as from_lon, ${table.fromLat} as from_lat,
    ${table.visibility} as visibility, ${table.tagIds} as tag_ids, ${table.women} as women,
    (${table.recurringId} is null or not exists (
      select 1 from ${table} earlier where earlier.recurring_id = ${table.recurringId} and ${earlierAt} < ${at})) as is_first
    from ${table} where ${table.id} = any(${ids}::uuid[])`;
}

/**
 * The ids of what a person has moved, as a subquery: found by the orders that they drove or rode in, and what
 * they moved as an admin.
 */
export const movesOfPerson = (personId: string): SQL => sql`(
  select h.id from move_history h join rides r on r.id = h.ride_id
    where r.driver_id = ${personId} and h.actor_id = ${personId}
  union select h.id from move_history h join requests q on q.id = h.request_id
    where q.passenger_id = ${personId} and h.actor_id = ${personId}
  union select h.id from move_history h join bookings b on b.ride_id = h.ride_id
    where b.passenger_id = ${personId} and h.actor_id = ${personId}
  union select h.id from move_history h where h.actor = 'admin' and h.actor_id = ${personId})`;

/** The history of a ride and of one of its bookings, oldest first. */
export const movesOf = (db: Db, of: { rideId: string; bookingId: string }): Promise<HistoryRow[]> =>
  db
    .select()
    .from(moveHistory)
    .where(
      and(
        eq(moveHistory.rideId, of.rideId),
        sql`(${moveHistory.thing} = 'ride' or ${moveHistory.thingId} = ${of.bookingId})`,
      ),
    )
    .orderBy(asc(moveHistory.id));

/** True for a ride whose driver let a passenger down. */
export const hasLetDown = (rideId: SQLWrapper) =>
  sql`exists (select 1 from bookings b where b.ride_id = ${rideId} and b.fault = 'driver')`;
