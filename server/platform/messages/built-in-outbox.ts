import { desc, inArray, type SQL, type SQLWrapper } from 'drizzle-orm';
import { outboxMessages } from '../../schema/platform.ts';
import type { Db } from '../database/db.ts';

/**
 * Removes the emails and text messages to some addresses or numbers that were stored because no mail server
 * or gateway is configured.
 */
export async function eraseMessagesTo(tx: Db, recipients: readonly string[]): Promise<void> {
  await tx.delete(outboxMessages).where(inArray(outboxMessages.recipient, [...recipients]));
}

/** The stored messages whose recipients meet a condition, the newest first. */
export const newestMessages = (
  db: Db,
  { most, condition }: { most: number; condition: (recipient: SQLWrapper) => SQL | undefined },
): Promise<(typeof outboxMessages.$inferSelect)[]> =>
  db
    .select()
    .from(outboxMessages)
    .where(condition(outboxMessages.recipient))
    .orderBy(desc(outboxMessages.at), desc(outboxMessages.id))
    .limit(most);
