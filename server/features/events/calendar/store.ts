import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  ilike,
  inArray,
  isNull,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { openRequestStates } from '#contract/rides/moves.ts';
import type { EventWay } from '#contract/events/plan.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { events } from '../../../schema/events.ts';
import { requests, rides, rideStops } from '../../../schema/rides.ts';

export type EventColumns = typeof events.$inferSelect;
export interface EventRow extends EventColumns {
  seatsOffered: number;
  seatsNeeded: number;
  backOffered: number;
  backNeeded: number;
  /** Whether the viewer has an order to it or from it, whatever has become of it. */
  travelled: boolean;
}

/** As `wayOf` in the contract has it. */
const goes = (way: EventWay, order: typeof rides | typeof requests): SQL => {
  const there = sql`((${order.toLon} - ${events.atLon}) ^ 2 + (${order.toLat} - ${events.atLat}) ^ 2
    <= (${order.fromLon} - ${events.atLon}) ^ 2 + (${order.fromLat} - ${events.atLat}) ^ 2)`;
  return way === 'there' ? there : sql`not ${there}`;
};

/** The seats that are free on every leg of a ride that still takes people, summed; private rides are offered to nobody. */
const seatsOffered = (db: Db, way: EventWay) => {
  const perRide = db
    .select({ free: sql<number>`min(${rideStops.seats} - ${rideStops.seatsTaken})`.as('free') })
    .from(rideStops)
    .innerJoin(rides, eq(rides.id, rideStops.rideId))
    .where(
      and(
        eq(rides.eventId, events.id),
        eq(rides.state, 'matching'),
        ne(rides.visibility, 'private'),
        ne(rideStops.kind, 'end'),
        goes(way, rides),
      ),
    )
    .groupBy(rideStops.rideId)
    .as('per_ride');
  return db.select({ seats: sql`coalesce(sum(${perRide.free}), 0)::int` }).from(perRide);
};

const seatsNeeded = (db: Db, way: EventWay) =>
  db
    .select({ seats: sql`coalesce(sum(${requests.seats}), 0)::int` })
    .from(requests)
    .where(
      and(
        eq(requests.eventId, events.id),
        inArray(requests.state, [...openRequestStates]),
        ne(requests.visibility, 'private'),
        goes(way, requests),
      ),
    );

const travels = (viewerId: string | null): SQL =>
  viewerId === null
    ? sql`false`
    : sql`(exists (select 1 from rides r where r.event_id = ${events.id} and r.driver_id = ${viewerId})
        or exists (select 1 from requests q where q.event_id = ${events.id} and q.passenger_id = ${viewerId}))`;

const withSeats = (db: Db, viewerId: string | null) =>
  db
    .select({
      ...getTableColumns(events),
      seatsOffered: sql<number>`(${seatsOffered(db, 'there')})`,
      seatsNeeded: sql<number>`(${seatsNeeded(db, 'there')})`,
      backOffered: sql<number>`(${seatsOffered(db, 'back')})`,
      backNeeded: sql<number>`(${seatsNeeded(db, 'back')})`,
      travelled: sql<boolean>`${travels(viewerId)}`,
    })
    .from(events);

export interface EventSearch {
  text: string;
  /** All that everybody may find, or the viewer's own. */
  of: 'public' | { personId: string };
  /** Nearest first, else soonest first. */
  near: { lon: number; lat: number } | null;
  now: Date;
  offset: number;
  limit: number;
}

/** Events that have not ended and whose name or place holds the text, and how many they are. */
export async function eventsToCome(
  db: Db,
  viewerId: string | null,
  search: EventSearch,
): Promise<{ rows: EventRow[]; total: number }> {
  const pattern = `%${search.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const found = and(
    gt(events.endsAt, search.now),
    or(ilike(events.name, pattern), ilike(events.atName, pattern), ilike(events.atDetail, pattern)),
    search.of === 'public'
      ? and(eq(events.visibility, 'public'), isNull(events.cancelledAt))
      : or(eq(events.organiserId, search.of.personId), travels(search.of.personId)),
  );
  const { near } = search;
  // Within a region degrees of longitude are shorter than those of latitude by one factor.
  const far = (at: { lon: number; lat: number }) =>
    sql`((${events.atLon} - ${at.lon}) * ${Math.cos((at.lat * Math.PI) / 180)}) ^ 2 + (${events.atLat} - ${at.lat}) ^ 2`;
  const [rows, [all]] = await Promise.all([
    withSeats(db, viewerId)
      .where(found)
      .orderBy(...(near === null ? [] : [far(near)]), asc(events.startsAt), asc(events.id))
      .limit(search.limit)
      .offset(search.offset),
    db.select({ total: count() }).from(events).where(found),
  ]);
  return { rows, total: all?.total ?? 0 };
}

export async function findEvent(db: Db, id: string, viewerId: string | null): Promise<EventRow | null> {
  const [row] = await withSeats(db, viewerId).where(eq(events.id, id));
  return row ?? null;
}

/** The event as it stands, held until the transaction ends. */
export async function lockEvent(tx: Db, id: string): Promise<EventColumns | null> {
  const [row] = await tx.select().from(events).where(eq(events.id, id)).for('update');
  return row ?? null;
}

export async function insertEvent(tx: Db, row: typeof events.$inferInsert): Promise<void> {
  await tx.insert(events).values(row);
}

/** Inserts events as they are given, whatever their past. */
export async function insertEvents(db: Db, rows: (typeof events.$inferInsert)[]): Promise<void> {
  await db.insert(events).values(rows);
}

export async function updateEvent(tx: Db, id: string, set: Partial<EventColumns>): Promise<void> {
  await tx.update(events).set(set).where(eq(events.id, id));
}

/** A person who travels to an event, with an order that has not ended: one of two, where they go there and back. */
export interface Traveller {
  personId: string;
  kind: 'ride' | 'request';
  orderId: string;
}

export async function travellers(db: Db, eventId: string): Promise<Traveller[]> {
  const found = await db.execute<{ person: string; kind: Traveller['kind']; id: string }>(sql`
    select distinct on (person) person, kind, id from (
      select driver_id as person, 'ride' as kind, id, departs_at as at from rides
      where event_id = ${eventId} and ended_at is null
      union all select passenger_id, 'request', id, earliest_at from requests
      where event_id = ${eventId} and ended_at is null) orders
    order by person, at`);
  return found.rows.map(({ person, kind, id }) => ({ personId: person, kind, orderId: id }));
}

/** Names by id, of those events that everybody may find, and of the viewer's own. */
export async function eventNames(
  db: Db,
  ids: readonly string[],
  viewerId: string | null,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: events.id, name: events.name })
    .from(events)
    .where(
      and(
        inArray(events.id, [...ids]),
        or(
          eq(events.visibility, 'public'),
          viewerId === null ? undefined : eq(events.organiserId, viewerId),
          travels(viewerId),
        ),
      ),
    );
  return new Map(rows.map((row) => [row.id, row.name]));
}

export const erasure = {
  events: (tx, personId) => tx.delete(events).where(eq(events.organiserId, personId)),
} satisfies Erasure;
