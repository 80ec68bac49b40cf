import { count, desc } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { adminActions } from '../../tables/audit.ts';

export type ActionRow = typeof adminActions.$inferSelect;

export async function insertAction(tx: Db, action: typeof adminActions.$inferInsert): Promise<void> {
  await tx.insert(adminActions).values(action);
}

export const newestActions = (db: Db, page: { offset: number; size: number }): Promise<ActionRow[]> =>
  db.select().from(adminActions).orderBy(desc(adminActions.id)).offset(page.offset).limit(page.size);

export async function countActions(db: Db): Promise<number> {
  const [row] = await db.select({ total: count() }).from(adminActions);
  return row?.total ?? 0;
}
