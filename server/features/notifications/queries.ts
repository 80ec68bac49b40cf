import { and, asc, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import { notifications, notificationDeliveries as deliveries } from '../../schema/notifications.ts';

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
      wasSeen: sql<boolean>`${notifications.seenAt} is not null or ${notifications.readAt} is not null`,
      isPlanned: sql<boolean>`count(${deliveries.id}) > 0`,
      hasLeft: sql<boolean>`count(${deliveries.leftAt}) > 0`,
    })
    .from(notifications)
    .leftJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(
      and(
        eq(notifications.userId, personId),
        gte(notifications.at, since),
        inArray(notifications.word, ['asked', 'invited']),
        sql`${notifications.facts} ->> 'bookingId' = ${bookingId}`,
      ),
    )
    .groupBy(notifications.id);
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
      authorizationId: sql<string>`${notifications.facts} ->> 'authorizationId'`,
      need: sql<string>`${notifications.facts} ->> 'need'`,
      at: deliveries.leftAt,
      by: deliveries.channel,
    })
    .from(notifications)
    .innerJoin(deliveries, and(eq(deliveries.notificationId, notifications.id), isNotNull(deliveries.leftAt)))
    .where(
      and(
        inArray(notifications.userId, [...new Set(needing.map(({ passengerId }) => passengerId))]),
        eq(notifications.word, 'paymentNeeded'),
        inArray(
          sql`${notifications.facts} ->> 'authorizationId'`,
          needing.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(deliveries.leftAt));
  const needs = new Map(needing.map(({ id, need }) => [id, need]));
  return new Map(
    rows
      .filter(({ authorizationId, need }) => needs.get(authorizationId) === need)
      .map(({ authorizationId, at, by }) => [authorizationId, { at: at!, by }]),
  );
}
