import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { orderGrants, shareLinks } from '../../../schema/rides.ts';

export type LinkRow = typeof shareLinks.$inferSelect;

export async function linkOf(db: Db, orderId: string): Promise<LinkRow | null> {
  return (await db.select().from(shareLinks).where(eq(shareLinks.orderId, orderId)))[0] ?? null;
}

export async function linkByCode(db: Db, codeHash: string): Promise<LinkRow | null> {
  return (await db.select().from(shareLinks).where(eq(shareLinks.codeHash, codeHash)))[0] ?? null;
}

export async function linkByShortHash(db: Db, shortHash: string): Promise<LinkRow | null> {
  return (await db.select().from(shareLinks).where(eq(shareLinks.shortHash, shortHash)))[0] ?? null;
}

/** Inserts a link, unless the order already has one. */
export async function insertLink(tx: Db, row: LinkRow): Promise<void> {
  await tx.insert(shareLinks).values(row).onConflictDoNothing({ target: shareLinks.orderId });
}

/** Ends a link, and the access it has given. */
export async function dropLink(tx: Db, orderId: string): Promise<void> {
  await tx.delete(shareLinks).where(eq(shareLinks.orderId, orderId));
}

/** Lets a person see an order by its link while the link exists; false where it has just ended. */
export async function grant(tx: Db, row: typeof orderGrants.$inferInsert): Promise<boolean> {
  const stands = and(eq(shareLinks.id, row.linkId), eq(shareLinks.orderId, row.orderId));
  const [link] = await tx.select().from(shareLinks).where(stands).for('share');
  if (link === undefined) return false;
  await tx.insert(orderGrants).values(row).onConflictDoNothing();
  return true;
}
