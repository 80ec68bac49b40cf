import { and, eq, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny } from '../../../platform/database/one-row.ts';
import { rideQuestions } from '../../../schema/trips.ts';

export type QuestionRow = typeof rideQuestions.$inferSelect;

/** Stores the open question, whether they rode, for both sides of some bookings of a ride. */
export async function openQuestions(
  tx: Db,
  rows: readonly (typeof rideQuestions.$inferInsert)[],
): Promise<void> {
  await tx
    .insert(rideQuestions)
    .values([...rows])
    .onConflictDoNothing();
}

/** The open questions of some bookings. */
export async function questionsOf(
  db: Db,
  of: { rideIds?: readonly string[]; bookingIds?: readonly string[] },
): Promise<QuestionRow[]> {
  const { rideIds, bookingIds } = of;
  const ids = rideIds ?? bookingIds ?? [];
  if (ids.length === 0) return [];
  const column = rideIds === undefined ? rideQuestions.bookingId : rideQuestions.rideId;
  return db
    .select()
    .from(rideQuestions)
    .where(and(inArray(column, [...ids]), isNull(rideQuestions.closedAt)));
}

export function saveAnswer(
  tx: Db,
  bookingId: string,
  said: Partial<Pick<QuestionRow, 'driverSays' | 'passengerSays'>>,
): Promise<boolean> {
  const open = and(eq(rideQuestions.bookingId, bookingId), isNull(rideQuestions.closedAt));
  return changesAny(tx.update(rideQuestions).set(said).where(open));
}

export async function closeQuestion(
  tx: Db,
  bookingId: string,
  outcome: NonNullable<QuestionRow['outcome']>,
  closedAt: Date,
): Promise<void> {
  await tx.update(rideQuestions).set({ outcome, closedAt }).where(eq(rideQuestions.bookingId, bookingId));
}

const isOverdue = (now: Date) => and(isNull(rideQuestions.closedAt), lte(rideQuestions.answerBy, now));

export const isAnyRideOverdue = (now: Date): SQL =>
  sql`exists (select from ${rideQuestions} where ${isOverdue(now)})`;

/** Rides whose deadline for answers is over. */
export async function overdueRides(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ rideId: rideQuestions.rideId })
    .from(rideQuestions)
    .where(isOverdue(now))
    .groupBy(rideQuestions.rideId)
    .orderBy(sql`min(${rideQuestions.answerBy})`)
    .limit(limit);
  return rows.map(({ rideId }) => rideId);
}
