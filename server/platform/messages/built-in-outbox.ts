import { inArray } from 'drizzle-orm';
import { outboxMessages } from '../../schema/platform.ts';
import type { Db } from '../database/db.ts';

/** Removes the emails and text messages to some addresses or numbers that were kept because no mail server or gateway is configured. */
export async function eraseMessagesTo(tx: Db, recipients: readonly string[]): Promise<void> {
  await tx.delete(outboxMessages).where(inArray(outboxMessages.recipient, [...recipients]));
}
