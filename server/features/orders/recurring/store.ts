import { and, asc, eq, gte, inArray, lte, ne, sql, type SQL } from 'drizzle-orm';
import { maxOpenOrders } from '#contract/units.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { recurringRides, requests, rides, recurringDays } from '../../../schema/rides.ts';
import { isTakingPart } from '../../identity/queries.ts';

export type RecurringRow = typeof recurringRides.$inferSelect;
export type DayRow = typeof recurringDays.$inferSelect;

/** Of one round, which is done within a fifth of a second; the rest follows in the next, a second later. */
const mostAtOnce = 20;

export async function insertRecurring(
  tx: Db,
  row: typeof recurringRides.$inferInsert,
): Promise<RecurringRow> {
  return (await tx.insert(recurringRides).values(row).returning())[0]!;
}

/** Reads recurring rides under a row lock until the transaction ends. */
export async function lockRecurring(tx: Db, id: string): Promise<RecurringRow | null> {
  return (await tx.select().from(recurringRides).where(eq(recurringRides.id, id)).for('update'))[0] ?? null;
}

/** As `lockRecurring`; null also where another transaction has it locked. */
export async function claimRecurring(tx: Db, id: string): Promise<RecurringRow | null> {
  const own = eq(recurringRides.id, id);
  const rows = await tx.select().from(recurringRides).where(own).for('update', { skipLocked: true });
  return rows[0] ?? null;
}

export async function recurringById(db: Db, id: string): Promise<RecurringRow | null> {
  return (await db.select().from(recurringRides).where(eq(recurringRides.id, id)))[0] ?? null;
}

export async function setRecurring(tx: Db, id: string, set: Partial<RecurringRow>): Promise<RecurringRow> {
  return (await tx.update(recurringRides).set(set).where(eq(recurringRides.id, id)).returning())[0]!;
}

export async function recurringOf(db: Db, ownerId: string, id?: string): Promise<RecurringRow[]> {
  const which = id === undefined ? eq(recurringRides.state, 'running') : eq(recurringRides.id, id);
  return db
    .select()
    .from(recurringRides)
    .where(and(eq(recurringRides.ownerId, ownerId), which))
    .orderBy(asc(recurringRides.createdAt), asc(recurringRides.localTime))
    .limit(maxOpenOrders);
}

/** The paired outbound or return. */
export async function pairedRecurring(db: Db, { id, pairId }: RecurringRow): Promise<RecurringRow | null> {
  if (pairId === null) return null;
  const where = and(eq(recurringRides.pairId, pairId), ne(recurringRides.id, id));
  return (await db.select().from(recurringRides).where(where))[0] ?? null;
}

/** The stored days of some recurring rides, from a day on. */
export async function daysOf(db: Db, recurringIds: readonly string[], fromDay: string): Promise<DayRow[]> {
  if (recurringIds.length === 0) return [];
  return db
    .select()
    .from(recurringDays)
    .where(and(inArray(recurringDays.recurringId, [...recurringIds]), gte(recurringDays.day, fromDay)))
    .orderBy(asc(recurringDays.day));
}

/** The day whose order this is. */
export async function dayOfOrder(db: Db, orderId: string): Promise<DayRow | null> {
  return (await db.select().from(recurringDays).where(eq(recurringDays.orderId, orderId)))[0] ?? null;
}

export async function orderOfDay(db: Db, recurringId: string, day: string): Promise<string | null> {
  const where = and(
    eq(recurringDays.recurringId, recurringId),
    eq(recurringDays.day, day),
    eq(recurringDays.outcome, 'published'),
  );
  return (await db.select().from(recurringDays).where(where))[0]?.orderId ?? null;
}

export const putDay = (tx: Db, row: DayRow): Promise<void> => putDays(tx, [row]);

export async function putDays(tx: Db, rows: readonly DayRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(recurringDays)
    .values([...rows])
    .onConflictDoUpdate({
      target: [recurringDays.recurringId, recurringDays.day],
      set: {
        outcome: sql`excluded.outcome`,
        orderId: sql`excluded.order_id`,
        edited: sql`excluded.edited`,
        reason: sql`excluded.reason`,
      },
    });
}

/** Deletes the rows of days, so that they can be published again. */
export async function dropDays(tx: Db, recurringId: string, days: readonly string[]): Promise<void> {
  if (days.length > 0)
    await tx
      .delete(recurringDays)
      .where(and(eq(recurringDays.recurringId, recurringId), inArray(recurringDays.day, [...days])));
}

/** Pause before the next check of those whose owner may not publish, so that none stays ahead of others. */
const lookAgainMs = 10 * minuteMs;

const isDue = (now: Date) => and(sql`${recurringRides.state} = 'running'`, lte(recurringRides.dueAt, now));

export const isAnyRecurringDue = (now: Date): SQL =>
  sql`exists (select from ${recurringRides} where ${isDue(now)})`;

/** Recurring rides that are due, of owners who may publish; those of others are put off. */
export async function dueRecurring(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: recurringRides.id, mayPublish: sql<boolean>`${isTakingPart(recurringRides.ownerId)}` })
    .from(recurringRides)
    .where(isDue(now))
    .orderBy(asc(recurringRides.dueAt))
    .limit(mostAtOnce);
  const idsOf = (may: boolean) => rows.flatMap(({ id, mayPublish }) => (mayPublish === may ? [id] : []));
  const waiting = idsOf(false);
  if (waiting.length > 0) await putOff(db, waiting, now);
  return idsOf(true);
}

/** Those that another transaction has locked are left to the next round. */
async function putOff(db: Db, ids: readonly string[], now: Date): Promise<void> {
  const free = db
    .select({ id: recurringRides.id })
    .from(recurringRides)
    .where(and(inArray(recurringRides.id, [...ids]), lte(recurringRides.dueAt, now)))
    .for('update', { skipLocked: true });
  await db
    .update(recurringRides)
    .set({ dueAt: later(now, lookAgainMs) })
    .where(inArray(recurringRides.id, free));
}

/** The other order of an outbound-return pair; null where there is none. */
export async function pairedOrder(
  db: Db,
  role: 'driver' | 'passenger',
  { id, pairId }: { id: string; pairId: string | null },
): Promise<string | null> {
  if (pairId === null) return null;
  const table = role === 'driver' ? rides : requests;
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.pairId, pairId), ne(table.id, id)));
  return rows[0]?.id ?? null;
}
