import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  not,
  or,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import { mostPerPage } from '#contract/units.ts';
import { freePermille, mostPermille } from '#roads/graph/traffic.ts';
import { columnsOf } from '../../platform/database/subquery-columns.ts';
import { namedStatement, type Db, type NamedStatement } from '../../platform/database/db.ts';
import type { Erasure } from '../../platform/erasure.ts';
import type { Platform } from '../../platform/platform.ts';
import { alertHits, alerts, alertWindows } from '../../schema/alerts.ts';
import { circleReaches } from '../orders/audience/queries.ts';
import { knowsRequest, knowsRide } from '../orders/bookings/queries.ts';
import { openRequestsIn } from '../orders/open/queries.ts';
import { openRequestOf, openRequests, openRideOf, openRides } from '../orders/queries.ts';
import type { RequestRow, RideRow } from '../orders/service.ts';
import { farthestMetres } from './rules/reach.ts';
import type { Window } from './rules/windows.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type HitRow = typeof alertHits.$inferSelect;

/** As the contract has it, of alerts and of requests. */
const mostWalkMetres = 5000;

/** Limits of one scheduler round; the rest follows in the next. */
const mostAtOnce = 200;
export const mostEmailsAtOnce = 20;

/** Serializes changes to one person's alerts until the transaction ends. */
export async function lockOwner(tx: Db, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`alerts:${ownerId}`}, 0))`);
}

/** Alerts of a person that are not over. */
export const countOpen = (tx: Db, ownerId: string, now: Date): Promise<number> =>
  tx.$count(alerts, and(eq(alerts.ownerId, ownerId), gt(alerts.endsAt, now)));

/** Null when the person has the same alert already. */
export async function insertAlert(
  tx: Db,
  row: typeof alerts.$inferInsert,
  windows: readonly Window[],
): Promise<AlertRow | null> {
  const reach = reachOf(row);
  const [made] = await tx
    .insert(alerts)
    .values(row)
    .onConflictDoNothing({ target: [alerts.ownerId, alerts.sameness] })
    .returning();
  if (made === undefined) return null;
  await tx.insert(alertWindows).values(windows.map((window) => ({ alertId: row.id, ...window, reach })));
  return made;
}

/** The place of an alert's windows: the passenger's start, or where the driver can come by. */
function reachOf(
  row: Pick<AlertRow, 'fromLon' | 'fromLat' | 'toLon' | 'toLat' | 'driveMs'> & Partial<AlertRow>,
): SQL<string> {
  const { fromLon, fromLat, toLon, toLat, driveMs, maxDetourMs } = row;
  return row.role === 'passenger'
    ? sql`place_box(${fromLon}, ${fromLat})`
    : sql`reach_box(${fromLon}, ${fromLat}, ${toLon}, ${toLat}, ${farthestMetres(driveMs + (maxDetourMs ?? 0), mostWalkMetres)})`;
}

/** False when the person has no such alert. */
export async function deleteAlert(tx: Db, id: string, ownerId: string): Promise<boolean> {
  const own = and(eq(alerts.id, id), eq(alerts.ownerId, ownerId));
  return (await tx.delete(alerts).where(own).returning({ id: alerts.id })).length > 0;
}

export async function alertById(db: Db, id: string): Promise<AlertRow | null> {
  return (await db.select().from(alerts).where(eq(alerts.id, id)))[0] ?? null;
}

/** Reads an alert under a row lock until the transaction ends. */
export async function lockAlert(tx: Db, id: string): Promise<AlertRow | null> {
  return (await tx.select().from(alerts).where(eq(alerts.id, id)).for('update'))[0] ?? null;
}

export const alertsOf = (db: Db, ownerId: string): Promise<AlertRow[]> =>
  db
    .select()
    .from(alerts)
    .where(eq(alerts.ownerId, ownerId))
    .orderBy(desc(alerts.createdAt), desc(alerts.id))
    .limit(mostPerPage);

export async function singleWindows(db: Db, alertIds: readonly string[]): Promise<Map<string, Window>> {
  if (alertIds.length === 0) return new Map();
  const { alertId, earliestAt, latestAt } = alertWindows;
  const rows = await db
    .select({ alertId, earliestAt, latestAt })
    .from(alertWindows)
    .where(inArray(alertId, [...alertIds]));
  return new Map(rows.map(({ alertId: id, ...window }) => [id, window]));
}

/** Marks all hits of an alert as seen. */
export async function markRead(tx: Db, alertId: string, now: Date): Promise<void> {
  await tx
    .update(alertHits)
    .set({ readAt: now })
    .where(and(eq(alertHits.alertId, alertId), isNull(alertHits.readAt)));
}

type OpenRides = ReturnType<typeof openRides>;
type OpenRequests = ReturnType<typeof openRequests>;

/** The open rides that an alert's owner may see, that are not theirs and new to them. */
const ridesInSight = (ride: OpenRides): SQL =>
  and(
    ne(ride.driverId, alerts.ownerId),
    not(knowsRide(ride.id, alerts.ownerId)),
    eq(ride.women, alerts.women),
    circleReaches(ride, ride.driverId, alerts.ownerId),
  )!;
const requestsInSight = (request: OpenRequests): SQL =>
  and(
    ne(request.passengerId, alerts.ownerId),
    not(knowsRequest(request.id, alerts.ownerId)),
    eq(request.women, alerts.women),
    circleReaches(request, request.passengerId, alerts.ownerId),
  )!;

/** As the index `alert_windows_in_time` has it. */
const windowSpan = sql`tstzrange(${alertWindows.earliestAt}, ${alertWindows.latestAt}, '[]')`;

/** When a ride has ended at the latest, with all of its detour. */
const latestEnd = (ride: OpenRides): SQL =>
  sql`${ride.arrivesAt} + ((${ride.maxDetourMs} + extract(epoch from ${ride.latestDepartsAt} - ${ride.earliestDepartsAt}) * 1000) * interval '1 millisecond')`;

/** Where a ride can come by, for passengers who walk as far as one may. */
const reachOfRide = (ride: OpenRides): SQL =>
  sql`reach_box(${ride.fromLon}, ${ride.fromLat}, ${ride.toLon}, ${ride.toLat},
    ${farthestMetres(0, mostWalkMetres)}::float8 + (${ride.driveMs} + ${ride.maxDetourMs}) * ${farthestMetres(1, 0) - farthestMetres(0, 0)}::float8)`;

/** A window of a passenger's alert by whose place and times a ride could come. */
const windowMeetsRide = (ride: OpenRides, now: Date | Placeholder): SQL =>
  and(
    // A pick-up in a window is after the earliest departure, and before the ride has ended.
    gte(alertWindows.latestAt, ride.earliestDepartsAt),
    gt(alertWindows.latestAt, now),
    lte(alertWindows.earliestAt, latestEnd(ride)),
    // Looked up by place and time: the start of the alert is where the ride can come by.
    sql`${alertWindows.reach} && ${reachOfRide(ride)}`,
    sql`${windowSpan} && tstzrange(${ride.earliestDepartsAt}, ${latestEnd(ride)}, '[]')`,
  )!;

/** A window of a driver's alert in which the driver could come by a request. */
const windowMeetsRequest = (request: OpenRequests, now: Date | Placeholder): SQL =>
  and(
    lte(alertWindows.earliestAt, request.latestAt),
    gt(alertWindows.latestAt, now),
    // Looked up by place and time: the request starts where the driver can come by. A region is crossed
    // in less than a day, and no window is longer.
    sql`${alertWindows.reach} && place_box(${request.fromLon}, ${request.fromLat})`,
    sql`${windowSpan} && tstzrange(${request.earliestAt} - interval '2 days', ${request.latestAt}, '[]')`,
  )!;

/** Passengers who could take a ride, but for the road and for who may see whom. */
const couldRide = (ride: OpenRides): SQL =>
  and(
    eq(alerts.role, 'passenger'),
    lte(alerts.seats, ride.seats),
    ne(ride.driverId, alerts.ownerId),
    eq(ride.women, alerts.women),
  )!;

/** How long the drive of a driver's alert takes at most: in the slowest traffic, with all of its detour. */
const mostDrive = sql`(${alerts.driveMs} * ${mostPermille / freePermille}::integer + ${alerts.maxDetourMs}) * interval '1 millisecond'`;

/** Drivers who could take along a request, likewise. */
const couldTake = (request: OpenRequests): SQL =>
  and(
    eq(alerts.role, 'driver'),
    gte(alerts.seats, request.seats),
    gte(sql`${alertWindows.latestAt} + ${mostDrive}`, request.earliestAt),
    ne(request.passengerId, alerts.ownerId),
    eq(request.women, alerts.women),
  )!;

/** An alert's window, and an order whose place and times could fit it. Does not check who may see whom. */
export interface NearWindow extends Window, Way {
  orderId: string;
  alertId: string;
}

/** Where an alert leads, and how far its passenger walks. */
export type Way = Pick<AlertRow, 'fromLon' | 'fromLat' | 'toLon' | 'toLat' | 'walkMetres'>;

const nearWindow = {
  alertId: alertWindows.alertId,
  earliestAt: alertWindows.earliestAt,
  latestAt: alertWindows.latestAt,
  fromLon: alerts.fromLon,
  fromLat: alerts.fromLat,
  toLon: alerts.toLon,
  toLat: alerts.toLat,
  walkMetres: alerts.walkMetres,
};

/** The alerts related to an order: windows near it while it is open, and hits that are not gone. */
export interface NearAlerts {
  windows: NearWindow[];
  /** Orders that are among an alert's hits and not gone. */
  hit: ReadonlySet<string>;
}

/** An order that a statement is given the id of. */
const given = { id: sql<string>`given.id` };
const instant = sql.placeholder('now');

/** The windows of passengers' alerts near a ride while it is open. */
function windowsNearRide(db: Db) {
  const ride = openRideOf(db, given.id, instant);
  return db
    .select(nearWindow)
    .from(ride)
    .innerJoin(alertWindows, windowMeetsRide(ride, instant))
    .innerJoin(alerts, eq(alerts.id, alertWindows.alertId))
    .where(couldRide(ride))
    .as('near');
}

/** The same of a request and the alerts of drivers. */
function windowsNearRequest(db: Db) {
  const request = openRequestOf(db, given.id, instant);
  return db
    .select(nearWindow)
    .from(request)
    .innerJoin(alertWindows, windowMeetsRequest(request, instant))
    .innerJoin(alerts, eq(alerts.id, alertWindows.alertId))
    .where(couldTake(request))
    .as('near');
}

/** A row of `nearStatement`: an order, and one of the windows near it or none. */
interface NearRow extends Record<string, unknown> {
  order_id: string;
  is_hit: boolean;
  alert_id: string | null;
  earliest_at: Date;
  latest_at: Date;
  from_lon: number;
  from_lat: number;
  to_lon: number;
  to_lat: number;
  walk_metres: number | null;
}

function nearStatement(db: Db, kind: 'ride' | 'request'): NamedStatement {
  const near = kind === 'ride' ? windowsNearRide(db) : windowsNearRequest(db);
  const order = kind === 'ride' ? alertHits.rideId : alertHits.requestId;
  const isHit = sql`exists (select from ${alertHits} where ${order} = ${given.id} and ${isNull(alertHits.goneAt)})`;
  return namedStatement(
    db
      .select({ orderId: given.id.as('order_id'), isHit: isHit.as('is_hit'), ...columnsOf(near) })
      .from(sql`unnest(${sql.placeholder('ids')}::uuid[]) as given (id)`)
      .leftJoinLateral(near, sql`true`)
      .orderBy(near.earliestAt)
      .getSQL(),
  );
}
/** Their text is made once. */
const nearStatements = new Map<string, NamedStatement>();

/** The alerts related to some rides, or requests: the windows that are the earliest first. */
export async function alertsNear(
  { db, kept }: Pick<Platform, 'db' | 'kept'>,
  kind: 'ride' | 'request',
  orderIds: readonly string[],
  now: Date,
): Promise<NearAlerts> {
  const statement = nearStatements.get(kind) ?? nearStatement(db, kind);
  nearStatements.set(kind, statement);
  const rows = await kept.read<NearRow>(statement({ ids: [...orderIds], now: now.toISOString() }));
  return {
    windows: rows.flatMap((row) =>
      row.alert_id === null
        ? []
        : [
            {
              orderId: row.order_id,
              alertId: row.alert_id,
              earliestAt: row.earliest_at,
              latestAt: row.latest_at,
              fromLon: row.from_lon,
              fromLat: row.from_lat,
              toLon: row.to_lon,
              toLat: row.to_lat,
              walkMetres: row.walk_metres,
            },
          ],
    ),
    hit: new Set(rows.flatMap((row) => (row.is_hit ? [row.order_id] : []))),
  };
}

export async function alertsByIds(db: Db, ids: readonly string[]): Promise<Map<string, AlertRow>> {
  const rows = await db
    .select()
    .from(alerts)
    .where(sql`${alerts.id} = any(${sql.param([...new Set(ids)])}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** An order and an alert that it fits. */
export interface OrderAndAlert {
  orderId: string;
  alertId: string;
}

/** Of orders that fit alerts, those that the alert's owner may see and does not know. */
export async function inSight(
  db: Db,
  kind: 'ride' | 'request',
  fits: readonly OrderAndAlert[],
  now: Date,
): Promise<OrderAndAlert[]> {
  if (fits.length === 0) return [];
  const orderIds = sql.param(fits.map(({ orderId }) => orderId));
  const alertIds = sql.param(fits.map(({ alertId }) => alertId));
  const fit = { orderId: sql<string>`fit.order_id`, alertId: sql<string>`fit.alert_id` };
  const fitting = sql`unnest(${orderIds}::uuid[], ${alertIds}::uuid[]) as fit (order_id, alert_id)`;
  const ofAlert = eq(alerts.id, fit.alertId);
  if (kind === 'ride') {
    const ride = openRides(db, now);
    return db
      .select(fit)
      .from(fitting)
      .innerJoin(ride, eq(ride.id, fit.orderId))
      .innerJoin(alerts, ofAlert)
      .where(ridesInSight(ride));
  }
  const request = openRequests(db, now);
  return db
    .select(fit)
    .from(fitting)
    .innerJoin(request, eq(request.id, fit.orderId))
    .innerJoin(alerts, ofAlert)
    .where(requestsInSight(request));
}

/** The windows of an alert that are not over, the earliest first. */
export const openWindows = (db: Db, alertId: string, now: Date): Promise<Window[]> =>
  db
    .select({ earliestAt: alertWindows.earliestAt, latestAt: alertWindows.latestAt })
    .from(alertWindows)
    .where(and(eq(alertWindows.alertId, alertId), gt(alertWindows.latestAt, now)))
    .orderBy(alertWindows.earliestAt);

/** An open request, and a window of a driver's alert that its start and its times could meet. */
export interface NearRequest extends Window {
  orderId: string;
}

/** The open requests where the driver of an alert can come by in its windows; the earliest window first. */
export function requestsNear(db: Db, alertId: string, now: Date): Promise<NearRequest[]> {
  const { earliestAt, latestAt, reach } = alertWindows;
  const near = openRequestsIn({
    box: sql`${reach}`,
    from: sql`${earliestAt}`,
    until: sql`${latestAt} + ${mostDrive}`,
    now,
  });
  return db
    .select({ orderId: sql<string>`near.id`, earliestAt, latestAt })
    .from(alerts)
    .innerJoin(alertWindows, and(eq(alertWindows.alertId, alerts.id), gt(latestAt, now)))
    .crossJoinLateral(sql`${near} near`)
    .where(eq(alerts.id, alertId))
    .orderBy(earliestAt);
}

export type NewHit = Omit<typeof alertHits.$inferInsert, 'id' | 'goneAt' | 'readAt'>;

export type HeldAlert = Pick<AlertRow, 'id' | 'ownerId' | 'role' | 'createdAt'>;

/** The existing ones of these alerts by their ids, locked until the transaction ends. */
export async function holdAlerts(tx: Db, ids: readonly string[]): Promise<Map<string, HeldAlert>> {
  if (ids.length === 0) return new Map();
  const { id, ownerId, role, createdAt } = alerts;
  const rows = await tx
    .select({ id, ownerId, role, createdAt })
    .from(alerts)
    .where(sql`${alerts.id} = any(${sql.param([...new Set(ids)])}::uuid[])`)
    .orderBy(alerts.id)
    .for('key share');
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Inserts new hits and refreshes existing ones; returns the alerts of new ones. All are of rides, or all of
 * requests.
 */
export async function keepHits(tx: Db, hits: readonly NewHit[]): Promise<Set<string>> {
  const fresh = new Set<string>();
  // One order fits thousands of alerts at most; statements stay within the protocol's limit of parameters.
  for (let first = 0; first < hits.length; first += 1000) {
    const some = hits.slice(first, first + 1000);
    const rows = await tx
      .insert(alertHits)
      .values(some)
      .onConflictDoUpdate({
        target: [alertHits.alertId, some[0]!.rideId == null ? alertHits.requestId : alertHits.rideId],
        set: {
          pickupAt: sql`excluded.pickup_at`,
          dropoffAt: sql`excluded.dropoff_at`,
          fareCents: sql`excluded.fare_cents`,
          detourMs: sql`excluded.detour_ms`,
          goneAt: null,
        },
      })
      // xmax is 0 only for an inserted row: an update has locked the existing one.
      .returning({ alertId: alertHits.alertId, isNew: sql<boolean>`(xmax = 0)` });
    for (const { alertId, isNew } of rows) if (isNew) fresh.add(alertId);
    await lookForEmail(tx, some);
  }
  return fresh;
}

/** Makes the alerts of hits that may have to be emailed due, as soon as an email about them may be posted. */
async function lookForEmail(tx: Db, hits: readonly NewHit[]): Promise<void> {
  const first = new Map<string, Date>();
  for (const { alertId, emailedAt, foundAt } of hits) if (emailedAt == null) first.set(alertId, foundAt);
  if (first.size === 0) return;
  const ids = sql.param([...first.keys()]);
  const ats = sql.param([...first.values()].map((at) => at.toISOString()));
  // Locked in the order of ids: orders that fit the same alerts wait for each other without a deadlock.
  await tx.execute(sql`
    update alerts set next_at = due.at from (
      select a.id, greatest(found.at, a.no_email_before) as at
      from alerts a join unnest(${ids}::uuid[], ${ats}::timestamptz[]) as found (id, at) on found.id = a.id
      where a.next_at is null or a.next_at > greatest(found.at, a.no_email_before)
      order by a.id for no key update of a
    ) as due where alerts.id = due.id`);
}

const orderIs = (of: { rideId: string } | { requestId: string }): SQL =>
  'rideId' in of ? eq(alertHits.rideId, of.rideId) : eq(alertHits.requestId, of.requestId);

/** Marks the hits of an order on all but these alerts as gone. */
export async function loseHits(
  tx: Db,
  of: { rideId: string } | { requestId: string },
  still: readonly string[],
  now: Date,
): Promise<void> {
  await tx
    .update(alertHits)
    .set({ goneAt: now })
    .where(
      and(
        orderIs(of),
        isNull(alertHits.goneAt),
        still.length === 0 ? undefined : sql`${alertHits.alertId} <> all(${sql.param([...still])}::uuid[])`,
      ),
    );
}

/** Marks all hits of orders as gone. */
export async function loseAllHits(
  db: Db,
  kind: 'ride' | 'request',
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const order = kind === 'ride' ? alertHits.rideId : alertHits.requestId;
  await db
    .update(alertHits)
    .set({ goneAt: now })
    .where(and(sql`${order} = any(${sql.param([...ids])}::uuid[])`, isNull(alertHits.goneAt)));
}

/** The open order that a hit is joined with. */
const openOrders = (db: Db, now: Date) => ({
  ride: openRideOf(db, alertHits.rideId, now),
  request: openRequestOf(db, alertHits.requestId, now),
});

/** Hits whose order is open, fits, and may be seen by the alert's owner. */
const usable = ({ ride, request }: ReturnType<typeof openOrders>): SQL =>
  and(isNull(alertHits.goneAt), or(ridesInSight(ride), requestsInSight(request)))!;

const unlettered = and(isNull(alertHits.emailedAt), isNull(alertHits.readAt));

export interface StandingHit {
  hit: HitRow;
  ride: RideRow | null;
  request: RequestRow | null;
}

const standing = (db: Db, { ride, request }: ReturnType<typeof openOrders>) =>
  db
    .select({ hit: alertHits, ride: columnsOf(ride), request: columnsOf(request) })
    .from(alertHits)
    .innerJoin(alerts, eq(alerts.id, alertHits.alertId))
    .leftJoinLateral(ride, sql`true`)
    .leftJoinLateral(request, sql`true`);

/** The newest usable hits of each of a person's alerts, and how many are usable and unread. */
export async function hitsOf(
  db: Db,
  ownerId: string,
  mostEach: number,
  now: Date,
): Promise<{ hits: StandingHit[]; counts: Map<string, { total: number; unread: number }> }> {
  const orders = openOrders(db, now);
  const { ride, request } = orders;
  const ofAlert = sql`over (partition by ${alertHits.alertId})`;
  const ranked = db
    .select({
      id: alertHits.id,
      alertId: alertHits.alertId,
      rank: sql<number>`row_number() over (partition by ${alertHits.alertId} order by ${alertHits.id} desc)`.as(
        'rank',
      ),
      total: sql<number>`(count(*) ${ofAlert})::int`.as('total'),
      unread: sql<number>`(count(*) filter (where ${alertHits.readAt} is null) ${ofAlert})::int`.as('unread'),
    })
    .from(alertHits)
    .innerJoin(alerts, eq(alerts.id, alertHits.alertId))
    .leftJoinLateral(ride, sql`true`)
    .leftJoinLateral(request, sql`true`)
    .where(and(eq(alerts.ownerId, ownerId), usable(orders)))
    .as('ranked');
  const newest = await db.select().from(ranked).where(lte(ranked.rank, mostEach));
  const ids = newest.map(({ id }) => id);
  const hits =
    ids.length === 0
      ? []
      : await standing(db, orders)
          .where(sql`${alertHits.id} = any(${sql.param(ids)}::bigint[])`)
          .orderBy(desc(alertHits.id));
  return {
    // One whose order has closed since it was counted is left out.
    hits: hits.filter((hit) => hit.ride !== null || hit.request !== null),
    counts: new Map(newest.map(({ alertId, total, unread }) => [alertId, { total, unread }])),
  };
}

/** Hits of an alert that have not been emailed yet, oldest first. */
export function untold(tx: Db, alertId: string, now: Date): Promise<StandingHit[]> {
  const orders = openOrders(tx, now);
  return standing(tx, orders)
    .where(and(eq(alertHits.alertId, alertId), unlettered, usable(orders)))
    .orderBy(alertHits.id);
}

export async function markEmailed(tx: Db, hitIds: readonly number[], now: Date): Promise<void> {
  await tx
    .update(alertHits)
    .set({ emailedAt: now })
    .where(sql`${alertHits.id} = any(${sql.param([...hitIds])}::bigint[])`);
}

export async function holdEmails(tx: Db, alertId: string, until: Date): Promise<void> {
  await tx.update(alerts).set({ noEmailBefore: until }).where(eq(alerts.id, alertId));
}

/** Whether an email of an alert is due, or an alert is over that may be removed. */
export const isAnyDue = (now: Date): SQL =>
  sql`exists (select from ${alerts} where ${lte(alerts.nextAt, now)})
    or exists (select from ${alerts} where ${lte(alerts.endsAt, now)})`;

/** Alerts whose emails are due, the longest due first. */
export async function dueEmails(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: alerts.id })
    .from(alerts)
    .where(lte(alerts.nextAt, now))
    .orderBy(asc(alerts.nextAt))
    .limit(mostEmailsAtOnce);
  return rows.map(({ id }) => id);
}

/**
 * Notes that an alert was checked for an email. Hits that wait, and whose order may not be seen or joined
 * just now, are checked again at `again`; without any, nothing is due.
 */
export async function lookedForEmail(tx: Db, alertId: string, again: Date): Promise<void> {
  const waits = sql`exists (select from alert_hits h where h.alert_id = ${alertId} and h.emailed_at is null
    and h.read_at is null and h.gone_at is null)`;
  await tx
    .update(alerts)
    .set({ nextAt: sql`case when ${waits} then ${again.toISOString()}::timestamptz end` })
    .where(eq(alerts.id, alertId));
}

/**
 * Deletes a page of alerts whose last window is over and whose hits are no longer usable; returns their
 * owners. Alerts that others have locked stay for the next round.
 */
export async function removeEnded(tx: Db, now: Date): Promise<string[]> {
  const orders = openOrders(tx, now);
  const { ride, request } = orders;
  const useful = tx
    .select({ id: alertHits.id })
    .from(alertHits)
    .leftJoinLateral(ride, sql`true`)
    .leftJoinLateral(request, sql`true`)
    .where(and(eq(alertHits.alertId, alerts.id), usable(orders)));
  const ended = tx
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(lte(alerts.endsAt, now), sql`not exists ${useful}`))
    .orderBy(asc(alerts.endsAt))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true });
  const rows = await tx
    .delete(alerts)
    .where(inArray(alerts.id, ended))
    .returning({ ownerId: alerts.ownerId });
  return rows.map(({ ownerId }) => ownerId);
}

export const erasure = {
  // With their windows and hits.
  alerts: (tx, personId) => tx.delete(alerts).where(eq(alerts.ownerId, personId)),
} satisfies Erasure;
