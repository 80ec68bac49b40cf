import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { cannedAnswers } from '../../../schema/moderation.ts';

export type CannedAnswerRow = typeof cannedAnswers.$inferSelect;

export const allAnswers = (db: Db): Promise<CannedAnswerRow[]> =>
  db
    .select()
    .from(cannedAnswers)
    .orderBy(asc(cannedAnswers.language), asc(sql`lower(${cannedAnswers.title})`), asc(cannedAnswers.id));

/** How many there are; until the transaction ends, no other one adds to them. */
export async function holdAnswers(tx: Db): Promise<number> {
  await tx.execute(sql`lock table ${cannedAnswers} in share row exclusive mode`);
  return tx.$count(cannedAnswers);
}

export async function insertAnswer(tx: Db, row: CannedAnswerRow): Promise<void> {
  await tx.insert(cannedAnswers).values(row);
}

/** Changes one; false where it is gone. */
export const updateAnswer = (tx: Db, { id, ...values }: CannedAnswerRow): Promise<boolean> =>
  changesAny(tx.update(cannedAnswers).set(values).where(eq(cannedAnswers.id, id)));

export const deleteAnswer = (tx: Db, id: string): Promise<CannedAnswerRow | null> =>
  firstRow(tx.delete(cannedAnswers).where(eq(cannedAnswers.id, id)).returning());

export const erasure = {
  canned_answers: (tx, personId) =>
    tx.update(cannedAnswers).set({ writerId: null }).where(eq(cannedAnswers.writerId, personId)),
} satisfies Erasure;
