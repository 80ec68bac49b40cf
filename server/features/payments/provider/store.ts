import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import { providerCursors } from '../../../schema/payments.ts';

/** One of the provider's lists that the app reads from where it stopped. */
export type Feed = Pick<typeof providerCursors.$inferSelect, 'provider' | 'feed'>;

const own = ({ provider, feed }: Feed) =>
  and(eq(providerCursors.provider, provider), eq(providerCursors.feed, feed));

/**
 * Makes the caller the one who reads a list of the provider, until the lease ends; null while another process
 * does. A row and not an advisory lock, because reading takes no connection meanwhile.
 * @returns how far the list has been read
 */
export async function leaseFeed(
  db: Db,
  of: Feed,
  now: Date,
  leaseEndsAt: Date,
): Promise<{ lastId: string | null } | null> {
  const isFree = sql`(${providerCursors.leaseEndsAt} is null or ${providerCursors.leaseEndsAt} <= ${now.toISOString()})`;
  const { lastId } = providerCursors;
  const [taken] = await db
    .update(providerCursors)
    .set({ leaseEndsAt })
    .where(and(own(of), isFree))
    .returning({ lastId });
  if (taken !== undefined) return taken;
  return firstRow(
    db
      .insert(providerCursors)
      .values({ ...of, leaseEndsAt })
      .onConflictDoNothing()
      .returning({ lastId }),
  );
}

export async function endFeedLease(db: Db, of: Feed): Promise<void> {
  await db.update(providerCursors).set({ leaseEndsAt: null }).where(own(of));
}

/** Keeps how far a list has been read, and the lease of the one who reads it. */
export async function keepCursor(
  db: Db,
  of: Feed,
  set: { lastId: string | null; leaseEndsAt: Date },
): Promise<void> {
  await db.update(providerCursors).set(set).where(own(of));
}
