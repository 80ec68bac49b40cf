import { desc, eq, sql } from 'drizzle-orm';
import { undelivered } from '../../schema/platform.ts';
import { countedFor, countUpTo } from '../database/count-up-to.ts';
import type { Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';

export type FailedDelivery = typeof undelivered.$inferSelect;

/** Tasks of the outbox that failed for good, the newest first, and how many there are near the page. */
export async function failedDeliveryPage(
  db: Db,
  page: { offset: number; size: number },
): Promise<{ rows: FailedDelivery[]; total: number }> {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(undelivered)
      .orderBy(desc(undelivered.at), desc(undelivered.id))
      .offset(page.offset)
      .limit(page.size),
    countUpTo(db, undelivered, { by: sql`at desc`, most: countedFor(page) }),
  ]);
  return { rows, total };
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
