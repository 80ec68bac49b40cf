import { and, asc, count, desc, eq, gte, inArray, isNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import {
  emailsAlways,
  firstChoices,
  type NotificationChannel,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import { sqlWords } from '../../platform/database/sql-words.ts';
import type { Erasure } from '../../platform/erasure.ts';
import {
  notifications,
  notificationDeliveries as deliveries,
  notificationSettings,
} from '../../schema/notifications.ts';

export type NewsRow = typeof notifications.$inferSelect;

const mostAtOnce = 100;

/** A person's choices; the defaults until they save their own. */
export async function choicesOf(db: Db, userId: string): Promise<NotificationChoices> {
  const [row] = await db
    .select({ choices: notificationSettings.choices })
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId));
  return row?.choices ?? firstChoices;
}

export async function keepChoices(
  tx: Db,
  userId: string,
  choices: NotificationChoices,
  at: Date,
): Promise<void> {
  const row = { userId, choices, savedAt: at };
  await tx
    .insert(notificationSettings)
    .values(row)
    .onConflictDoUpdate({ target: notificationSettings.userId, set: row });
}

export interface DueNotice {
  id: string;
  goodUntil: Date | null;
  channel: NotificationChannel;
  news: NewsRow;
}

const isDue = (now: Date) => and(isNull(deliveries.sentAt), lte(deliveries.dueAt, now));

export const isAnyNoticeDue = (now: Date): SQL => sql`exists (select from ${deliveries} where ${isDue(now)})`;

/** Emails of one kind to one person that are due within this time leave as one. */
const togetherMs = 2 * minuteMs;

/** Claims due notices and marks them as sent in the same transaction; other processes skip these rows. */
export async function takeDue(tx: Db, now: Date): Promise<DueNotice[]> {
  const due = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(isDue(now))
    .orderBy(asc(deliveries.dueAt))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const dueIds = due.map(({ id }) => id);
  const ids = [...dueIds, ...(await takeAlong(tx, dueIds, now))];
  await tx.update(deliveries).set({ sentAt: now }).where(inArray(deliveries.id, ids));
  return tx
    .select({
      id: deliveries.id,
      channel: deliveries.channel,
      goodUntil: deliveries.goodUntil,
      news: notifications,
    })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(inArray(deliveries.id, ids))
    .orderBy(asc(notifications.at));
}

/** Claims emails of the same kind to the same people as some due emails, which are due soon after. */
async function takeAlong(tx: Db, dueIds: readonly string[], now: Date): Promise<string[]> {
  const found = await tx.execute<{ id: string }>(sql`
    select other.id from notification_deliveries due join notifications on notifications.id = due.notification_id
    join notification_deliveries other on other.user_id = due.user_id and other.channel = 'email' and other.sent_at is null
      and other.due_at <= ${later(now, togetherMs).toISOString()} and other.id <> all(${sql.param([...dueIds])}::uuid[])
    join notifications about on about.id = other.notification_id and about.kind = notifications.kind
    where due.id = any(${sql.param([...dueIds])}::uuid[]) and due.channel = 'email'
      and notifications.kind not in ${sqlWords(emailsAlways)}
    for update of other skip locked`);
  return [...new Set(found.rows.map(({ id }) => id))];
}

/** Puts a claimed notice back, due again later. */
export async function postpone(tx: Db, noticeId: string, dueAt: Date): Promise<void> {
  await tx.update(deliveries).set({ sentAt: null, dueAt }).where(eq(deliveries.id, noticeId));
}

/** Records that a notice was sent. @returns its notification, where that was not recorded yet. */
export async function noteLeft(tx: Db, noticeId: string, at: Date): Promise<NewsRow | null> {
  const [left] = await tx
    .update(deliveries)
    .set({ leftAt: at })
    .where(and(eq(deliveries.id, noticeId), isNull(deliveries.leftAt)))
    .returning({ notificationId: deliveries.notificationId });
  if (left === undefined) return null;
  return firstRow(tx.select().from(notifications).where(eq(notifications.id, left.notificationId)));
}

export async function newsById(db: Db, id: string): Promise<NewsRow | null> {
  return (await db.select().from(notifications).where(eq(notifications.id, id)))[0] ?? null;
}

/** True where a push service has taken a notification since it was last new. */
export async function hasLeftByPush(tx: Db, newsId: string, since: Date): Promise<boolean> {
  const left = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.notificationId, newsId),
        eq(deliveries.channel, 'push'),
        gte(deliveries.leftAt, since),
      ),
    );
  return left.length > 0;
}

/** When a push service has last taken a notification about a thing, since an instant; null for none. */
export async function lastPush(
  tx: Db,
  { userId, thing, since }: { userId: string; thing: string; since: Date },
): Promise<Date | null> {
  const [left] = await tx
    .select({ at: deliveries.leftAt })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.thing, thing),
        eq(deliveries.channel, 'push'),
        gte(deliveries.leftAt, since),
      ),
    )
    .orderBy(desc(deliveries.leftAt))
    .limit(1);
  return left?.at ?? null;
}

export async function newsOf(
  db: Db,
  userId: string,
  page: { offset: number; size: number },
): Promise<{ rows: NewsRow[]; total: number }> {
  const own = eq(notifications.userId, userId);
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(notifications)
      .where(own)
      .orderBy(desc(notifications.at), desc(notifications.id))
      .offset(page.offset)
      .limit(page.size),
    db.select({ total: count() }).from(notifications).where(own),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The number of unread notifications, without messages, which have a count of their own. */
export async function unreadNews(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
        sql`${notifications.kind} <> 'chat'`,
      ),
    );
  return row?.unread ?? 0;
}

/** Marks unread notifications of a person as read. @returns what they were about. */
export async function markRead(
  tx: Db,
  userId: string,
  which: { ids: readonly string[] } | { path: string } | 'all',
  now: Date,
): Promise<string[]> {
  const chosen: SQL | undefined =
    which === 'all'
      ? undefined
      : 'path' in which
        ? eq(notifications.path, which.path)
        : inArray(notifications.id, [...which.ids]);
  const rows = await tx
    .update(notifications)
    .set({ readAt: now })
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), chosen))
    .returning({ thing: notifications.thing });
  return [...new Set(rows.map(({ thing }) => thing))];
}

export async function markSeen(tx: Db, userId: string, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .update(notifications)
    .set({ seenAt: now })
    .where(
      and(
        eq(notifications.userId, userId),
        inArray(notifications.id, [...ids]),
        isNull(notifications.seenAt),
      ),
    );
}

/** Marks notifications from before an instant as read at their own time. */
export async function readNewsBefore(db: Db, before: Date): Promise<void> {
  await db.update(notifications).set({ readAt: notifications.at }).where(lt(notifications.at, before));
}

/** Deletes notifications from before an instant, with what is left of their way out of the app. */
export const forgetNews = (db: Db, before: Date): Promise<void> =>
  inPages(notifications, sql`where at < ${before.toISOString()} order by at`, (page) =>
    db.delete(notifications).where(page),
  );

export const erasure = {
  notification_settings: (tx, personId) =>
    tx.delete(notificationSettings).where(eq(notificationSettings.userId, personId)),
  notifications: async (tx, personId) => {
    await tx.delete(notifications).where(eq(notifications.userId, personId));
    // Notifications to others about the person are deleted, too.
    await tx.delete(notifications).where(eq(notifications.otherId, personId));
  },
  notification_deliveries: (tx, personId) => tx.delete(deliveries).where(eq(deliveries.userId, personId)),
} satisfies Erasure;
