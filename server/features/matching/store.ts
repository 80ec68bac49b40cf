import { sql } from 'drizzle-orm';
import { namedStatement, type Db, type NamedStatement } from '../../platform/database/db.ts';
import type { KeptStatements } from '../../platform/database/kept-statements.ts';
import { logAfter, timelineOfDatabase } from '../../platform/events/event-log.ts';
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
 * The statement of a poll of the index: what the log says of orders after a number. Rows that are committed
 * and not numbered yet count as well, so that a question sees what was committed before it.
 */
export function pollOf(orders: Pick<OpenSource, 'openAsJson'>): NamedStatement {
  const orderIds = sql`(select ids from written)`;
  return namedStatement(sql`
    with ahead as materialized (
      ${logAfter(sql`${sql.placeholder('seq')}::bigint`)}
    ), written as materialized (
      select coalesce(array_agg(distinct order_id), '{}') as ids from ahead
      cross join jsonb_path_query(items, '$[*] ? (@.name == "orders.written").payload.orderIds[*]') as told (id)
      cross join lateral (select (told.id #>> '{}')::uuid as order_id) as orders
      where ahead.id <> all(${sql.placeholder('seen')}::bigint[])
    )
    select ${timelineOfDatabase} as timeline, (select max(seq) from ahead)::text as seq,
      (select coalesce(json_agg(id), '[]') from ahead where seq is null) as unnumbered, ${orderIds} as "orderIds",
      case when cardinality(${orderIds}) between 1 and ${sql.placeholder('most')}::int
        then ${orders.openAsJson(orderIds)} end as open`);
}

/** The result of `pollOf`. */
export interface WrittenOrders {
  timeline: string;
  /** The last number of the log; null where it has none after the given one. */
  seq: string | null;
  /** The rows of the log that have no number yet. */
  unnumbered: number[];
  orderIds: string[];
  /** The open ones of these orders; null where there are no orders, or too many. */
  open: unknown;
}

/**
 * Orders that were written, as of the log after a number.
 * @param of.seen rows of the log that had no number when they were read
 */
export async function writtenOrders(
  kept: Pick<KeptStatements, 'read'>,
  poll: NamedStatement,
  of: { seq: number; seen: readonly number[]; most: number },
): Promise<WrittenOrders> {
  const [found] = await kept.read<WrittenOrders & Record<string, unknown>>(poll(of));
  return found!;
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
