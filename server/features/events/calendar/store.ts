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
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { events } from '../../../schema/events.ts';
import { isTravelling, seatsNeeded, seatsOffered } from '../../orders/events/queries.ts';

export type EventColumns = typeof events.$inferSelect;
export interface EventRow extends EventColumns {
  seatsOffered: number;
  seatsNeeded: number;
  backOffered: number;
  backNeeded: number;
  /** Whether the viewer has an order to it or from it, in any state. */
  travelled: boolean;
}

const travels = (viewerId: string | null): SQL =>
  viewerId === null ? sql`false` : isTravelling(events.id, viewerId);

const withSeats = (db: Db, viewerId: string | null) =>
  db
    .select({
      ...getTableColumns(events),
      seatsOffered: seatsOffered(db, 'there', events),
      seatsNeeded: seatsNeeded(db, 'there', events),
      backOffered: seatsOffered(db, 'back', events),
      backNeeded: seatsNeeded(db, 'back', events),
      travelled: sql<boolean>`${travels(viewerId)}`,
    })
    .from(events);

export interface EventSearch {
  text: string;
  /** All public events, or the viewer's own. */
  of: 'public' | { personId: string };
  /** Nearest first, else soonest first. */
  near: { lon: number; lat: number } | null;
  now: Date;
  offset: number;
  limit: number;
}

/** Events that have not ended and whose name or place contains the text, and their count. */
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
      ? and(eq(events.visibility, 'public'), isNull(events.canceledAt))
      : or(eq(events.organizerId, search.of.personId), travels(search.of.personId)),
  );
  const { near } = search;
  // Within a region one factor converts degrees of longitude to degrees of latitude.
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

/** One page of the public events that have not ended, oldest first, and their count. */
export async function publicEventIds(
  db: Db,
  { now, offset, limit }: Pick<EventSearch, 'now' | 'offset' | 'limit'>,
): Promise<{ ids: string[]; total: number }> {
  const found = and(gt(events.endsAt, now), eq(events.visibility, 'public'), isNull(events.canceledAt));
  const [rows, total] = await Promise.all([
    db
      .select({ id: events.id })
      .from(events)
      .where(found)
      .orderBy(asc(events.createdAt), asc(events.id))
      .limit(limit)
      .offset(offset),
    db.$count(events, found),
  ]);
  return { ids: rows.map(({ id }) => id), total };
}

export const findEvent = (db: Db, id: string, viewerId: string | null): Promise<EventRow | null> =>
  firstRow(withSeats(db, viewerId).where(eq(events.id, id)));

export async function eventByShortHash(db: Db, shortHash: string): Promise<EventColumns | null> {
  return (await db.select().from(events).where(eq(events.shortHash, shortHash)))[0] ?? null;
}

/** The event, locked until the transaction ends. */
export const lockEvent = (tx: Db, id: string): Promise<EventColumns | null> =>
  firstRow(tx.select().from(events).where(eq(events.id, id)).for('update'));

export async function insertEvent(tx: Db, row: typeof events.$inferInsert): Promise<void> {
  await tx.insert(events).values(row);
}

/** Inserts events as given, including past ones. */
export async function insertEvents(db: Db, rows: (typeof events.$inferInsert)[]): Promise<void> {
  await db.insert(events).values(rows);
}

export async function updateEvent(tx: Db, id: string, set: Partial<EventColumns>): Promise<void> {
  await tx.update(events).set(set).where(eq(events.id, id));
}

/** Names by id, of public events and of the viewer's own. */
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
          viewerId === null ? undefined : eq(events.organizerId, viewerId),
          travels(viewerId),
        ),
      ),
    );
  return new Map(rows.map((row) => [row.id, row.name]));
}

export const erasure = {
  events: (tx, personId) => tx.delete(events).where(eq(events.organizerId, personId)),
} satisfies Erasure;
