import { count, desc, eq, sql } from 'drizzle-orm';
import { undelivered } from '../../schema/platform.ts';
import type { Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';

export type FailedDelivery = typeof undelivered.$inferSelect;

/** Tasks of the outbox that failed for good, the newest first, and how many there are. */
export async function failedDeliveryPage(
  db: Db,
  page: { offset: number; size: number },
): Promise<{ rows: FailedDelivery[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(undelivered)
      .orderBy(desc(undelivered.at), desc(undelivered.id))
      .offset(page.offset)
      .limit(page.size),
    db.select({ total: count() }).from(undelivered),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Takes one of them out; null where another transaction has. */
export async function takeFailedDelivery(tx: Db, id: string): Promise<FailedDelivery | null> {
  const [row] = await tx.delete(undelivered).where(eq(undelivered.id, id)).returning();
  return row ?? null;
}

export const forgetFailedDeliveries = (db: Db, before: Date): Promise<void> =>
  inPages(undelivered, sql`where at < ${before.toISOString()} order by at`, (page) =>
    db.delete(undelivered).where(page),
  );
