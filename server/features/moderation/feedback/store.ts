import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { feedback } from '../../../schema/moderation.ts';

export type FeedbackRow = typeof feedback.$inferSelect;

export async function insertFeedback(tx: Db, row: typeof feedback.$inferInsert): Promise<void> {
  await tx.insert(feedback).values(row);
}

/** Messages by their ids. */
export async function feedbackByIds(db: Db, ids: readonly string[]): Promise<Map<string, FeedbackRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(feedback)
    .where(inArray(feedback.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks a message as read; null when it was already, or does not exist. */
export const markRead = (tx: Db, id: string, at: Date): Promise<FeedbackRow | null> =>
  firstRow(
    tx
      .update(feedback)
      .set({ readAt: at })
      .where(and(eq(feedback.id, id), isNull(feedback.readAt)))
      .returning(),
  );

/** Makes a message one to be read again. */
export async function markUnread(tx: Db, id: string): Promise<void> {
  await tx.update(feedback).set({ readAt: null }).where(eq(feedback.id, id));
}

export const erasure = {
  feedback: (tx, personId) => tx.delete(feedback).where(eq(feedback.authorId, personId)),
} satisfies Erasure;
