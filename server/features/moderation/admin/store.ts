import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import type { FigureSpan } from '../../../platform/database/figures.ts';
import { feedback } from '../../../schema/feedback.ts';
import { licenseFigures, waitingLicenseCounts } from '../../drivers/licenses/queries.ts';
import { peopleCounts, peopleFigures } from '../../identity/queries.ts';
import { openOrderCounts, orderFigures } from '../../orders/statistics/queries.ts';
import { moneyFigures } from '../../payments/queries.ts';

export type FeedbackRow = typeof feedback.$inferSelect;
export interface PageOf {
  offset: number;
  size: number;
}

export async function feedbackPage(
  db: Db,
  { only, offset, size }: PageOf & { only: 'all' | 'open' },
): Promise<{ rows: FeedbackRow[]; total: number; open: number }> {
  const where = only === 'open' ? isNull(feedback.readAt) : undefined;
  const [rows, total, open] = await Promise.all([
    db
      .select()
      .from(feedback)
      .where(where)
      .orderBy(desc(feedback.createdAt), desc(feedback.id))
      .offset(offset)
      .limit(size),
    db.$count(feedback, where),
    db.$count(feedback, isNull(feedback.readAt)),
  ]);
  return { rows, total, open };
}

export async function findFeedback(db: Db, id: string): Promise<FeedbackRow | null> {
  const [row] = await db.select().from(feedback).where(eq(feedback.id, id));
  return row ?? null;
}

/** Marks a message as read; null when it was already, or does not exist. */
export async function markRead(tx: Db, id: string, at: Date): Promise<FeedbackRow | null> {
  const [row] = await tx
    .update(feedback)
    .set({ readAt: at })
    .where(and(eq(feedback.id, id), isNull(feedback.readAt)))
    .returning();
  return row ?? null;
}

/** Stores the answer to a message; null when it already has one. */
export async function keepAnswer(tx: Db, id: string, answer: string, at: Date): Promise<FeedbackRow | null> {
  const [row] = await tx
    .update(feedback)
    .set({ answer, answeredAt: at, readAt: sql`coalesce(${feedback.readAt}, ${at.toISOString()})` })
    .where(and(eq(feedback.id, id), isNull(feedback.answeredAt)))
    .returning();
  return row ?? null;
}

/** The current totals. */
export async function standing(db: Db) {
  const counts = { ...peopleCounts, ...openOrderCounts, ...waitingLicenseCounts };
  const { rows } = await db.execute<Record<string, string | null>>(
    sql`select ${sql.join(
      Object.entries(counts).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
      sql`, `,
    )}`,
  );
  const row = rows[0] ?? {};
  const oldest = row['oldestLicenceSentAt'] ?? null;
  return {
    people: Number(row['people']),
    suspended: Number(row['suspended']),
    openRides: Number(row['openRides']),
    openRequests: Number(row['openRequests']),
    licencesWaiting: Number(row['licencesWaiting']),
    oldestLicenceSentAt: oldest === null ? null : new Date(oldest).toISOString(),
  };
}

/** The first days of the latest periods, in the region's zone, the oldest first. */
export async function periodStarts(
  db: Db,
  {
    by,
    periods,
    timeZone,
    now,
  }: { by: 'day' | 'week' | 'month'; periods: number; timeZone: string; now: Date },
): Promise<string[]> {
  const found = await db.execute<{ day: string }>(sql`
    with last as (select date_trunc(${by}, ${now.toISOString()}::timestamptz at time zone ${timeZone}) as at)
    select to_char(last.at - step * ${`1 ${by}`}::interval, 'YYYY-MM-DD') as day
    from last, generate_series(${periods - 1}, 0, -1) as step`);
  return found.rows.map((row) => row.day);
}

/** Each figure of each period that is not empty. */
export async function figures(
  db: Db,
  span: FigureSpan,
): Promise<{ period: string; name: string; value: number }[]> {
  const parts = [
    ...peopleFigures(span),
    ...orderFigures(span),
    ...moneyFigures(span),
    ...licenseFigures(span),
  ];
  const found = await db.execute<{ period: string; name: string; value: number }>(
    sql`select to_char(period, 'YYYY-MM-DD') as period, name, value from (${sql.join(parts, sql` union all `)}) as each`,
  );
  return found.rows;
}
