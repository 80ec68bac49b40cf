import { and, asc, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { news, notices } from '../../schema/notifications.ts';

/**
 * True while the message of a booking's question is on its way to its person: it is not written yet, or it is
 * planned on some channel, has left on none, and was not seen in the app.
 */
export async function isOnItsWay(
  db: Db,
  { bookingId, personId, since }: { bookingId: string; personId: string; since: Date },
): Promise<boolean> {
  const found = await db
    .select({
      wasSeen: sql<boolean>`${news.seenAt} is not null or ${news.readAt} is not null`,
      isPlanned: sql<boolean>`count(${notices.id}) > 0`,
      hasLeft: sql<boolean>`count(${notices.leftAt}) > 0`,
    })
    .from(news)
    .leftJoin(notices, eq(notices.newsId, news.id))
    .where(
      and(
        eq(news.userId, personId),
        gte(news.at, since),
        inArray(news.word, ['asked', 'invited']),
        sql`${news.facts} ->> 'bookingId' = ${bookingId}`,
      ),
    )
    .groupBy(news.id);
  return found.every(({ wasSeen, isPlanned, hasLeft }) => !wasSeen && isPlanned && !hasLeft);
}

/** When and on which channel a passenger was reminded outside of the app to complete a payment. */
export interface PaymentReminder {
  at: Date;
  by: NotificationChannel;
}

/**
 * The last reminder for each of these authorizations, by its id; ignores one that was never handed to a
 * provider.
 */
export async function paymentRemindersOf(
  db: Db,
  needing: readonly { id: string; passengerId: string; need: string }[],
): Promise<Map<string, PaymentReminder>> {
  if (needing.length === 0) return new Map();
  const rows = await db
    .select({
      authorizationId: sql<string>`${news.facts} ->> 'authorizationId'`,
      need: sql<string>`${news.facts} ->> 'need'`,
      at: notices.leftAt,
      by: notices.channel,
    })
    .from(news)
    .innerJoin(notices, and(eq(notices.newsId, news.id), isNotNull(notices.leftAt)))
    .where(
      and(
        inArray(news.userId, [...new Set(needing.map(({ passengerId }) => passengerId))]),
        eq(news.word, 'paymentNeeded'),
        inArray(
          sql`${news.facts} ->> 'authorizationId'`,
          needing.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(notices.leftAt));
  const needs = new Map(needing.map(({ id, need }) => [id, need]));
  return new Map(
    rows
      .filter(({ authorizationId, need }) => needs.get(authorizationId) === need)
      .map(({ authorizationId, at, by }) => [authorizationId, { at: at!, by }]),
  );
}
