import { sql, type SQL } from 'drizzle-orm';
import { changeableRideStates, openAskStates, openRequestStates } from '#contract/rides/moves.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { requests, rides } from '../../../schema/rides.ts';
import type { RideRow } from '../queries.ts';

const idsOf = (found: { rows: { id: string }[] }): string[] => found.rows.map((row) => row.id);

/**
 * Rides whose `next_at` has come, those yet to leave first; the caller decides under the lock. One that only
 * comes within an hour of its departure without a passenger is left to `passQuietRides`.
 */
export async function dueRides(db: Db, now: Date, limit: number): Promise<string[]> {
  const at = now.toISOString();
  const due = (which: SQL) =>
    sql`(select id from rides r where ${isDueForAPerson(at)} and ${which} order by next_at limit ${limit})`;
  return idsOf(
    await db.execute<{ id: string }>(sql`
      ${due(sql`latest_departs_at > ${at}`)} union all ${due(sql`latest_departs_at <= ${at}`)} limit ${limit}`),
  );
}

/** For the row `r`: a due ride that concerns a passenger or has reached its departure. */
const isDueForAPerson = (at: string): SQL => sql`next_at <= ${at} and (
  state not in ${sqlWords(changeableRideStates)} or departs_at <= ${at}
  or exists (select from bookings b where b.ride_id = r.id and b.state = 'joined'))`;

/** Whether the clock has anything to do with rides, as a condition. */
export const isAnyRideDue = (now: Date): SQL =>
  sql`exists (select from rides r where ${isDueForAPerson(now.toISOString())})
    or exists (select from rides where ${isQuietAndDue(now)})`;

/**
 * Claims a ride for the scheduler: false where it is not due any more, or where another transaction has it
 * locked and the next round comes back to it.
 */
export async function claimDueRide(tx: Db, id: string, now: Date): Promise<boolean> {
  const claimed = await tx.execute(sql`
    select from rides where id = ${id} and next_at <= ${now.toISOString()} for no key update skip locked`);
  return claimed.rows.length > 0;
}

/**
 * Notes that the scheduler has checked a ride in a state, and writes the next instant that matters. If the
 * state changed, `next_at` may already be due.
 */
export async function rideLookedAt(
  tx: Db,
  { id, state }: Pick<RideRow, 'id' | 'state'>,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    update rides set next_at = ${nextLookAfter(now)}
    where id = ${id} and state = ${state} and next_at <= ${now.toISOString()}`);
}

const nextLookAfter = (now: Date): SQL =>
  sql`ride_next_at(state, departs_at, latest_departs_at, arrives_at, unclear_at, ${now.toISOString()})`;

/** Clocks of two processes are never so far apart. */
const skewMs = minuteMs;

const isQuiet = sql`not exists (select from bookings b where b.ride_id = rides.id and b.state = 'joined')`;

function isQuietAndDue(now: Date): SQL {
  const at = now.toISOString();
  return sql`next_at <= ${later(now, -skewMs).toISOString()} and latest_departs_at > ${at} and departs_at > ${at}
    and state in ${sqlWords(changeableRideStates)} and ${isQuiet}`;
}

/** Whether `passQuietRides` finds anything: asked without a transaction, as most rounds find nothing. */
export const hasQuietRides = (db: Db, now: Date): Promise<boolean> =>
  isThere(db, sql`select from rides where ${isQuietAndDue(now)}`);

async function isThere(db: Db, rows: SQL): Promise<boolean> {
  const found = await db.execute<{ found: boolean }>(sql`select exists (${rows}) as found`);
  return found.rows[0]?.found === true;
}

/**
 * Moves `next_at` past the last hour for rides that have come within it and have no passenger: a passenger
 * who joins from now on makes the ride gather at once, by the clock of any process. Rows locked by others are
 * skipped. @returns how many
 */
export async function passQuietRides(tx: Db, now: Date, limit: number): Promise<number> {
  const locked = idsOf(
    await tx.execute<{ id: string }>(sql`
      select id from rides where ${isQuietAndDue(now)} order by next_at limit ${limit} for no key update skip locked`),
  );
  if (locked.length === 0) return 0;
  // Under the locks: sees a passenger who joined during the first statement.
  const passed = await tx.execute(sql`
    update rides set next_at = ${nextLookAfter(now)}
    where id = any(${sql.param(locked)}::uuid[]) and ${isQuiet}`);
  return passed.rowCount ?? 0;
}

const overdueBookings = (now: Date): SQL =>
  sql`from bookings where state in ${sqlWords(openAskStates)} and expires_at <= ${now.toISOString()}`;

/** Asks, invitations and reserved seats whose deadline is over. */
export const dueBookings = async (db: Db, now: Date, limit: number): Promise<string[]> =>
  idsOf(
    await db.execute<{ id: string }>(
      sql`select id ${overdueBookings(now)} order by expires_at limit ${limit}`,
    ),
  );

export const isAnyBookingDue = (now: Date): SQL => sql`exists (select ${overdueBookings(now)})`;

const overdueRequests = (now: Date): SQL =>
  sql`from requests where state in ${sqlWords(openRequestStates)} and latest_at <= ${now.toISOString()}`;

/** Open requests whose window has passed. */
export const dueRequests = async (db: Db, now: Date, limit: number): Promise<string[]> =>
  idsOf(
    await db.execute<{ id: string }>(
      sql`select id ${overdueRequests(now)} order by latest_at limit ${limit}`,
    ),
  );

export const isAnyRequestDue = (now: Date): SQL => sql`exists (select ${overdueRequests(now)})`;

/** When orders that never had a booking are over. */
interface Over {
  now: Date;
  /** Those that could leave no later than this. */
  lastAt: Date;
}

function isUnaskedAndOver(kind: 'ride' | 'request', { now, lastAt }: Over): SQL {
  const isRide = kind === 'ride';
  const over = isRide ? sql`latest_departs_at` : sql`latest_at`;
  return sql`state = 'matching' and ${over} <= ${lastAt.toISOString()}
    ${isRide ? sql`and next_at <= ${now.toISOString()}` : sql``}
    and not exists (select from bookings b where b.${isRide ? sql`ride_id` : sql`request_id`} = o.id)`;
}

/** Whether `expireUnasked` finds anything: asked without a transaction, as most rounds find nothing. */
export const hasUnasked = (db: Db, kind: 'ride' | 'request', of: Over): Promise<boolean> =>
  isThere(
    db,
    sql`select from ${kind === 'ride' ? rides : requests} as o where ${isUnaskedAndOver(kind, of)}`,
  );

/** An order that has expired without a booking. */
export type ExpiredOrder = { id: string; ownerId: string; eventId: string | null };

/**
 * Expires open rides whose latest departure was by `lastAt`, and requests whose window ended then, that never
 * had a booking: no other person is affected, so one statement ends many. Rows locked by other transactions
 * are skipped.
 */
export async function expireUnasked(
  tx: Db,
  kind: 'ride' | 'request',
  { limit, to, ...of }: Over & { limit: number; to: 'expired' },
): Promise<ExpiredOrder[]> {
  const isRide = kind === 'ride';
  const table = isRide ? rides : requests;
  const owner = isRide ? sql`driver_id` : sql`passenger_id`;
  const over = isRide ? sql`latest_departs_at` : sql`latest_at`;
  const thing = isRide ? sql`ride_id` : sql`request_id`;
  const at = of.now.toISOString();
  const expired = await tx.execute<{ id: string; owner_id: string; event_id: string | null }>(sql`
    with due as (
      select id from ${table} as o where ${isUnaskedAndOver(kind, of)}
      order by ${isRide ? sql`next_at` : over} limit ${limit} for no key update skip locked
    ), expired as (
      update ${table} as o set state = ${to}, ended_at = ${at}, version = version + 1
      from due where o.id = due.id returning o.id, o.${owner} as owner_id, o.event_id
    ), noted as (
      insert into move_history (thing, thing_id, ${thing}, move, from_state, to_state, actor, at)
      select ${kind}, id, id, 'expire', 'matching', ${to}, 'system', ${at} from expired
    ), freed as (
      delete from order_spans where order_id in (select id from expired)
    ), unwaited as (
      delete from waitlist where ${thing} in (select id from expired)
    )
    select * from expired`);
  return expired.rows.map(({ id, owner_id: ownerId, event_id: eventId }) => ({ id, ownerId, eventId }));
}
