import { and, eq, max, sql, type SQL } from 'drizzle-orm';
import {
  changeableRideStates,
  dayStates,
  endedRequestStates,
  endedRideStates,
  openAskStates,
  type Stage,
} from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { bookings, rideStops } from '../../../schema/rides.ts';

export type Role = 'driver' | 'passenger';

/** One of a person's own orders: a ride that they drive, or their request. */
export interface OwnOrder {
  role: Role;
  id: string;
  stage: Stage;
}

const among = (states: readonly string[]): SQL => sql`any(${sql.param([...states])}::text[])`;

const endedRide = sql`r.state in ${sqlWords(endedRideStates)}`;
const endedRequest = sql`r.state in ${sqlWords(endedRequestStates)}`;

/**
 * `stageOf` of the contract in SQL for orders that have not ended, so that the database counts, sorts and
 * pages; a test compares the two. What has ended is `Completed`: of that there may be very much, and it is
 * counted and paged by its index alone.
 */
const openRidesOf = (driverId: string): SQL => sql`
  select 'driver' as role, r.id, r.departs_at as at,
    case
      when not r.state = ${among(changeableRideStates)} then 'In Progress'
      when exists (select 1 from bookings b where b.ride_id = r.id and b.state = ${among(openAskStates)}) then 'Requesting'
      when exists (select 1 from bookings b where b.ride_id = r.id and b.state = 'joined') then 'Joined'
      else 'Matching'
    end as stage
  from rides r where r.driver_id = ${driverId} and not ${endedRide}`;

const openRequestsOf = (passengerId: string): SQL => sql`
  select 'passenger' as role, r.id, r.earliest_at as at,
    case
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = ${among(dayStates)}) then 'In Progress'
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = ${among(openAskStates)}) then 'Requesting'
      when exists (select 1 from bookings b where b.request_id = r.id and b.state = 'joined') then 'Joined'
      else 'Matching'
    end as stage
  from requests r where r.passenger_id = ${passengerId} and not ${endedRequest}`;

const parts = <T>(role: Role | undefined, of: { driver: T; passenger: T }): T[] =>
  role === undefined ? [of.driver, of.passenger] : [of[role]];

const openOrdersOf = (personId: string, role: Role | undefined): SQL =>
  sql.join(
    parts(role, { driver: openRidesOf(personId), passenger: openRequestsOf(personId) }),
    sql` union all `,
  );

/** How many of a person's own orders each stage holds. */
export async function countByStage(
  db: Db,
  personId: string,
  role: Role | undefined,
): Promise<Record<Stage, number>> {
  // All minus the open ones: an index counts each of the two.
  const ended = parts(role, {
    driver: sql`(select count(*) from rides r where r.driver_id = ${personId})
      - (select count(*) from rides r where r.driver_id = ${personId} and not ${endedRide})`,
    passenger: sql`(select count(*) from requests r where r.passenger_id = ${personId})
      - (select count(*) from requests r where r.passenger_id = ${personId} and not ${endedRequest})`,
  });
  const found = await db.execute<{ stage: Stage; count: string }>(sql`
    select stage, count(*) as count from (${openOrdersOf(personId, role)}) own group by stage
    union all select 'Completed', ${sql.join(ended, sql` + `)}`);
  const counts = new Map(found.rows.map(({ stage, count }) => [stage, Number(count)]));
  const countOf = (stage: Stage) => counts.get(stage) ?? 0;
  return {
    Matching: countOf('Matching'),
    'In Progress': countOf('In Progress'),
    Completed: countOf('Completed'),
    Joined: countOf('Joined'),
    Requesting: countOf('Requesting'),
  };
}

/** The first of what a person has behind them, the latest first. */
function endedOrdersOf(personId: string, role: Role | undefined, most: number): SQL {
  const first = (of: SQL) => sql`(${of} order by at desc, id limit ${most})`;
  const ended = parts(role, {
    driver: first(
      sql`select 'driver' as role, r.id, r.departs_at as at from rides r where r.driver_id = ${personId} and ${endedRide}`,
    ),
    passenger: first(
      sql`select 'passenger' as role, r.id, r.earliest_at as at from requests r where r.passenger_id = ${personId} and ${endedRequest}`,
    ),
  });
  return sql`select role, id, at, 'Completed' as stage from (${sql.join(ended, sql` union all `)}) ended`;
}

/**
 * A page of a person's own orders: those to come with the soonest first, then those past, the latest first.
 */
export async function ownOrdersPage(
  db: Db,
  personId: string,
  of: { role: Role | undefined; stage: Stage | undefined; offset: number; limit: number },
): Promise<OwnOrder[]> {
  const { role, stage, offset, limit } = of;
  const open = sql`select role, id, at, stage from (${openOrdersOf(personId, role)}) open
    where ${stage === undefined ? sql`true` : sql`stage = ${stage}`}`;
  const ended = endedOrdersOf(personId, role, offset + limit);
  const all = stage === 'Completed' ? ended : stage === undefined ? sql`${open} union all ${ended}` : open;
  const found = await db.execute<{ role: Role; id: string; stage: Stage }>(sql`
    select role, id, stage from (${all}) own
    order by stage = 'Completed', case when stage = 'Completed' then null else at end, at desc, id
    limit ${limit} offset ${offset}`);
  return found.rows;
}

/** The order of a role that is under way, or else the one that comes next; null where none is open. */
export async function nextOwnOrder(db: Db, personId: string, role: Role): Promise<OwnOrder | null> {
  const found = await db.execute<{ role: Role; id: string; stage: Stage }>(sql`
    select role, id, stage from (${openOrdersOf(personId, role)}) own
    order by stage = 'In Progress' desc, at, id
    limit 1`);
  return found.rows[0] ?? null;
}

/** The ids of those rides and requests that have a booking of the viewer, whatever its state. */
export async function ordersBookedWith(
  db: Db,
  of: { viewerId: string; rideIds: readonly string[]; requestIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { viewerId, rideIds, requestIds } = of;
  const [taken, given] = await Promise.all([
    db
      .selectDistinct({ id: bookings.rideId })
      .from(bookings)
      .where(and(eq(bookings.passengerId, viewerId), isOneOf(bookings.rideId, rideIds))),
    db
      .selectDistinct({ id: bookings.requestId })
      .from(bookings)
      .where(and(eq(bookings.driverId, viewerId), isOneOf(bookings.requestId, requestIds))),
  ]);
  return new Set([...taken, ...given].map(({ id }) => id));
}

/** The most seats that are taken at once on each ride, by its id. */
export async function seatsTakenOf(db: Db, rideIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: rideStops.rideId, seats: max(rideStops.seatsTaken) })
    .from(rideStops)
    .where(isOneOf(rideStops.rideId, rideIds))
    .groupBy(rideStops.rideId);
  return new Map(rows.map(({ id, seats }) => [id, seats ?? 0]));
}
