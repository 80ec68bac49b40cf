import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { countUpTo, pageOfRows } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import { feedback } from '../../../schema/moderation.ts';
import type { FeedbackRow } from '../feedback/store.ts';

/** More of those that wait for an answer are not counted. */
const mostOpen = 1000;

export interface PageOf {
  offset: number;
  size: number;
}

export async function feedbackPage(
  db: Db,
  { only, offset, size }: PageOf & { only: 'all' | 'open' },
): Promise<{ rows: FeedbackRow[]; total: number; open: number }> {
  const where = only === 'open' ? isNull(feedback.readAt) : undefined;
  const [page, openTotal] = await Promise.all([
    pageOfRows(
      db,
      feedback,
      { where, order: [desc(feedback.createdAt), desc(feedback.id)] },
      { offset, size },
    ),
    countUpTo(db, feedback, { where: isNull(feedback.readAt), most: mostOpen }),
  ]);
  return { ...page, open: openTotal };
}

export const findFeedback = (db: Db, id: string): Promise<FeedbackRow | null> =>
  firstRow(db.select().from(feedback).where(eq(feedback.id, id)));

/** Stores the answer to a message; null when it already has one. */
export const keepAnswer = (tx: Db, id: string, answer: string, at: Date): Promise<FeedbackRow | null> =>
  firstRow(
    tx
      .update(feedback)
      .set({ answer, answeredAt: at, readAt: sql`coalesce(${feedback.readAt}, ${at.toISOString()})` })
      .where(and(eq(feedback.id, id), isNull(feedback.answeredAt)))
      .returning(),
  );
