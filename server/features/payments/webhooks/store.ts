import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { inPages } from '../../../platform/database/delete-pages.ts';
import { providerEvents } from '../../../schema/payments.ts';

export type EventRow = typeof providerEvents.$inferSelect;

/** Writes down events that are new, due at their `nextAt`. */
export async function insertEvents(
  db: Db,
  rows: readonly (typeof providerEvents.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(providerEvents)
    .values([...rows])
    .onConflictDoNothing();
}

/** Leases events that are due, the oldest first; with `id` only that one. */
export async function leaseDueEvents(
  db: Db,
  { now, leaseEndsAt, most, id }: { now: Date; leaseEndsAt: Date; most: number; id?: string },
): Promise<EventRow[]> {
  const only = id === undefined ? sql`` : sql`and id = ${id}`;
  const due = sql`select id from provider_events where next_at <= ${now.toISOString()} ${only}
    order by at, id limit ${most} for update skip locked`;
  return db
    .update(providerEvents)
    .set({ nextAt: leaseEndsAt, attempts: sql`${providerEvents.attempts} + 1` })
    .where(sql`${providerEvents.id} in (${due})`)
    .returning();
}

/** Writes that events are processed (`nextAt` null), or when they are tried again and why. */
export async function finishEvents(
  db: Db,
  ids: readonly string[],
  set: { nextAt: Date | null; error: string },
): Promise<void> {
  await db
    .update(providerEvents)
    .set(set)
    .where(sql`${providerEvents.id} = any(${sql.param([...ids])}::text[])`);
}

/** Deletes processed events that came before an instant: the provider lists them for thirty days. */
export const deleteOldEvents = (db: Db, before: Date): Promise<void> =>
  inPages(
    providerEvents,
    sql`where next_at is null and received_at <= ${before.toISOString()} order by received_at`,
    (page) => db.delete(providerEvents).where(page),
  );
