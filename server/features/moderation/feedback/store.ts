import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { feedback } from '../../../schema/feedback.ts';

export async function insertFeedback(tx: Db, row: typeof feedback.$inferInsert): Promise<void> {
  await tx.insert(feedback).values(row);
}

export const erasure = {
  feedback: (tx, personId) => tx.delete(feedback).where(eq(feedback.authorId, personId)),
} satisfies Erasure;
