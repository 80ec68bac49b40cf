import { sql } from 'drizzle-orm';
import { namedStatement, type Db, type NamedStatement } from '../../platform/database/db.ts';
import type { KeptStatements } from '../../platform/database/kept-statements.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';
import type { Change } from './engine/engine.ts';
import type { BookingRow, MatchingPorts, RequestRow, RideRow, StopWithWindow } from './ports.ts';
import type { Plan, PlanStop } from './rules/plan.ts';
import { maskOf } from './rules/preferences.ts';
import { door, meetingSpot, type Spot, type Wish } from './rules/wish.ts';

/** The source of the index. */
type OpenSource = Pick<
  MatchingPorts,
  'openAsJson' | 'openFromJson' | 'openRidesAfter' | 'openRequestsAfter' | 'stopsWithWindows' | 'joinedSeats'
>;

/**
 * Changes of orders committed by transactions from a number on, and the number to continue from. `run` tells
 * the database's runs apart: numbers that it had given to transactions which a crash or a failover has undone
 * without a trace are given again.
 */
export async function changesFrom(
  db: Db,
  fromXid: string | null,
): Promise<{ run: string; nextXid: string; changes: { id: number; orderId: string }[] }> {
  // One statement reads both in one snapshot: no transaction can commit in between. A failover changes the
  // timeline, which the names of log files begin with; a recovery after a crash resets the figures.
  const found = await db.execute<{
    run: string;
    next_xid: string;
    changes: { id: number; orderId: string }[];
  }>(sql`
    select ${runOfDatabase} as run, pg_snapshot_xmin(pg_current_snapshot())::text as next_xid,
      coalesce((select json_agg(json_build_object('id', id, 'orderId', order_id) order by id)
        from order_changes where xid >= ${fromXid}::xid8), '[]') as changes`);
  const { run, next_xid: nextXid, changes } = found.rows[0]!;
  return { run, nextXid, changes };
}

/** The statement of a poll of the index. */
export function lookOf(orders: Pick<OpenSource, 'openAsJson'>): NamedStatement {
  const fresh = sql`(select ids from fresh)`;
  return namedStatement(sql`
    with changed as (
      select id, order_id from order_changes where xid >= ${sql.placeholder('fromXid')}::xid8
    ), fresh as materialized (
      select coalesce(array_agg(distinct order_id), '{}') as ids from changed
      where id <> all(${sql.placeholder('seen')}::bigint[])
    )
    select ${runOfDatabase} as run, pg_snapshot_xmin(pg_current_snapshot())::text as "nextXid",
      coalesce((select json_agg(json_build_object('id', id, 'orderId', order_id) order by id) from changed), '[]')
        as changes,
      case when cardinality(${fresh}::uuid[]) between 1 and ${sql.placeholder('most')}::int
        then ${orders.openAsJson(fresh)} end as open`);
}

/**
 * The result of `lookOf`: `open` are the orders whose changes are not seen yet; null where there are none, or
 * too many.
 */
export interface FoundChanges {
  run: string;
  nextXid: string;
  changes: { id: number; orderId: string }[];
  open: unknown;
}

/** Changes committed from a transaction on, as of `changesFrom`, and up to `of.most` of their orders. */
export async function changesWithOrders(
  kept: Pick<KeptStatements, 'read'>,
  look: NamedStatement,
  of: { fromXid: string; seen: ReadonlySet<number>; most: number },
): Promise<FoundChanges> {
  const [found] = await kept.read<FoundChanges & Record<string, unknown>>(
    look({ ...of, seen: [...of.seen] }),
  );
  return found!;
}

/** The setting that says up to which transaction changes may have been deleted. */
const prunedSetting = 'matching.prunedXid';

/** Changes of one transaction: the locks and the log of a deletion stay small after a busy hour. */
const mostPruned = 5000;

/**
 * Deletes changes that every index has long applied, in pages, and notes the latest transaction among them.
 * An empty table costs no write.
 */
export async function pruneChanges(db: Db, most: number = mostPruned): Promise<void> {
  while ((await prunePage(db, most)) === most);
}

/** Deletes the oldest changes; returns how many. */
const prunePage = (db: Db, most: number): Promise<number> =>
  db.transaction(async (tx) => {
    // One at a time: the note of one must not replace a later one of another.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${prunedSetting}))`);
    const pruned = await tx.execute<{ xid: string | null; count: number }>(sql`
      with gone as (
        delete from order_changes where id = any(array(
          select id from order_changes where at < now() - interval '1 hour' order by at limit ${most}))
        returning xid)
      select max(xid::text::numeric)::text as xid, count(*)::int as count from gone`);
    const { xid, count } = pruned.rows[0]!;
    if (xid !== null && BigInt(xid) > (await prunedXid(tx))) await writeSetting(tx, prunedSetting, { xid });
    return count;
  });

async function prunedXid(db: Db): Promise<bigint> {
  // In an object: a bare text of digits is read back as a number.
  const value = (await readSetting(db, prunedSetting)) as { xid: string } | undefined;
  return BigInt(value?.xid ?? 0);
}

/** Whether all changes of transactions from a number on are still stored. */
export async function hasChangesFrom(db: Db, fromXid: string): Promise<boolean> {
  if ((await prunedXid(db)) >= BigInt(fromXid)) return false;
  // A number that the database has not reached is of a later state that it was set back from.
  const found = await db.execute<{ reached: boolean }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot()) >= ${fromXid}::xid8 as reached`,
  );
  return found.rows[0]!.reached;
}

/** Tells databases apart: the cluster and the database in it. Null where the database does not say. */
export async function databaseIdentity(db: Db): Promise<string | null> {
  const found = await db
    .execute<{ identity: string }>(
      sql`select concat_ws('-', (select system_identifier from pg_control_system()),
        (select oid from pg_database where datname = current_database())) as identity`,
    )
    .catch(() => null);
  return found?.rows[0]?.identity ?? null;
}

/** Some orders as changes of the index: open ones with their rows, the others as gone. */
export async function changesOf(db: Db, orders: OpenSource, orderIds: readonly string[]): Promise<Change[]> {
  const { rows } = await db.execute<{ open: unknown }>(
    sql`select ${orders.openAsJson(sql`${sql.param([...orderIds])}`)} as open`,
  );
  return changesIn(orders, orderIds, rows[0]!.open);
}

/** The same from what a statement has read of them already. */
export function changesIn(
  orders: Pick<OpenSource, 'openFromJson'>,
  orderIds: readonly string[],
  json: unknown,
): Change[] {
  const { rides, requests, stops, joined } = orders.openFromJson(json);
  const open = new Set([...rides, ...requests].map(({ id }) => id));
  const gone = orderIds.filter((id) => !open.has(id)).map((id): Change => ({ kind: 'gone', id }));
  return [
    ...gone,
    ...rideChangesFrom(rides, plansFrom(rides, stops), joined),
    ...requests.map(requestChange),
  ];
}

/** All open orders, in batches. */
export async function* allOpenOrders(db: Db, orders: OpenSource, atOnce: number): AsyncGenerator<Change[]> {
  for (let after = nobodysId; ;) {
    const rows = await orders.openRidesAfter(db, after, atOnce);
    if (rows.length === 0) break;
    yield await rideChanges(db, orders, rows);
    after = rows.at(-1)!.id;
  }
  for (let after = nobodysId; ;) {
    const rows = await orders.openRequestsAfter(db, after, atOnce);
    if (rows.length === 0) break;
    yield rows.map(requestChange);
    after = rows.at(-1)!.id;
  }
}

const nobodysId = '00000000-0000-0000-0000-000000000000';

async function rideChanges(db: Db, orders: OpenSource, rows: readonly RideRow[]): Promise<Change[]> {
  const [plans, joined] = await Promise.all([
    plansOf(db, orders, rows),
    orders.joinedSeats(
      db,
      rows.map((row) => row.id),
    ),
  ]);
  return rideChangesFrom(rows, plans, joined);
}

const rideChangesFrom = (
  rows: readonly RideRow[],
  plans: ReadonlyMap<string, Plan>,
  joined: ReadonlyMap<string, number>,
): Change[] =>
  rows.flatMap((row): Change[] => {
    const plan = plans.get(row.id);
    // Published, but its stops are not committed yet: they arrive as a change of their own.
    if (plan === undefined || plan.stops.length < 2) return [{ kind: 'gone', id: row.id }];
    const { id, driverId, priceKind, costCents, visibility } = row;
    // The database decides whom an order for women may reach.
    const isPublic = visibility === 'all users' && !row.women;
    const joinedSeats = joined.get(id) ?? 0;
    return [{ kind: 'ride', ride: { id, driverId, isPublic, plan, priceKind, costCents, joinedSeats } }];
  });

function requestChange(row: RequestRow): Change {
  const { id, passengerId, offerCents, visibility } = row;
  const isPublic = visibility === 'all users' && !row.women;
  return { kind: 'request', request: { id, passengerId, isPublic, wish: wishOf(row), offerCents } };
}

/** A published request as the input of matching. */
export function wishOf(row: RequestRow): Wish {
  return {
    seats: row.seats,
    pickups: [door({ lon: row.fromLon, lat: row.fromLat }), ...row.pickupMeetingPoints.map(meetingSpot)],
    dropoffs: [door({ lon: row.toLon, lat: row.toLat }), ...row.dropoffMeetingPoints.map(meetingSpot)],
    walkMetres: row.walkMetres,
    earliestMs: row.earliestAt.getTime(),
    latestMs: row.latestAt.getTime(),
    arriveByMs: row.arriveBy.getTime(),
    preferences: maskOf(row),
  };
}

/** The agreed meeting point of a booking, for pick-up or drop-off. */
export const agreedSpot = (booking: BookingRow, end: 'pickup' | 'dropoff'): Spot => ({
  lon: booking[`${end}Lon`],
  lat: booking[`${end}Lat`],
  walkMetres: booking[`${end}WalkMetres`],
  walkMs: booking[`${end}WalkMs`],
  name: booking[`${end}Name`],
});

/** The plans of rides as agreed, each stop with the windows of the passenger it serves. */
export async function plansOf(
  db: Db,
  orders: Pick<MatchingPorts, 'stopsWithWindows'>,
  rows: readonly RideRow[],
): Promise<Map<string, Plan>> {
  if (rows.length === 0) return new Map();
  const stops = await orders.stopsWithWindows(
    db,
    rows.map((row) => row.id),
  );
  return plansFrom(rows, stops);
}

/** The same from stops that have been read already, in the order of each ride. */
export function plansFrom(rows: readonly RideRow[], stops: readonly StopWithWindow[]): Map<string, Plan> {
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

/** When a stop's passenger must be met: after their walk to it, and in time for the walk after it. */
function windowOf(stop: StopWithWindow): Pick<PlanStop, 'earliestMs' | 'latestMs'> {
  const { kind, earliestAt, latestAt, arriveBy } = stop;
  if (kind === 'pickup' && earliestAt !== null && latestAt !== null)
    return { earliestMs: earliestAt.getTime() + (stop.pickupWalkMs ?? 0), latestMs: latestAt.getTime() };
  if (kind === 'dropoff' && arriveBy !== null)
    return { earliestMs: -Infinity, latestMs: arriveBy.getTime() - (stop.dropoffWalkMs ?? 0) };
  return { earliestMs: -Infinity, latestMs: Infinity };
}

/**
 * The run of the database: its timeline, and when it counts from. A number of a transaction means the same
 * one within a run; after a failover, a restore or a crash it may be given again.
 */
const runOfDatabase = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || coalesce((select stats_reset::text from pg_stat_wal), '')`;
