import { and, asc, count, desc, eq, gte, inArray, isNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import {
  emailsAlways,
  firstChoices,
  type NotificationChannel,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import { sqlWords } from '../../platform/database/sql-words.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { news, notices, notificationSettings } from '../../schema/notifications.ts';

export type NewsRow = typeof news.$inferSelect;

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

const isDue = (now: Date) => and(isNull(notices.sentAt), lte(notices.dueAt, now));

export const isAnyNoticeDue = (now: Date): SQL => sql`exists (select from ${notices} where ${isDue(now)})`;

/** Emails of one kind to one person that are due within this time leave as one. */
const togetherMs = 2 * minuteMs;

/** Claims due notices and marks them as sent in the same transaction; other processes skip these rows. */
export async function takeDue(tx: Db, now: Date): Promise<DueNotice[]> {
  const due = await tx
    .select({ id: notices.id })
    .from(notices)
    .where(isDue(now))
    .orderBy(asc(notices.dueAt))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  const dueIds = due.map(({ id }) => id);
  const ids = [...dueIds, ...(await takeAlong(tx, dueIds, now))];
  await tx.update(notices).set({ sentAt: now }).where(inArray(notices.id, ids));
  return tx
    .select({ id: notices.id, channel: notices.channel, goodUntil: notices.goodUntil, news })
    .from(notices)
    .innerJoin(news, eq(news.id, notices.newsId))
    .where(inArray(notices.id, ids))
    .orderBy(asc(news.at));
}

/** Claims emails of the same kind to the same people as some due emails, which are due soon after. */
async function takeAlong(tx: Db, dueIds: readonly string[], now: Date): Promise<string[]> {
  const found = await tx.execute<{ id: string }>(sql`
    select other.id from notices due join news on news.id = due.news_id
    join notices other on other.user_id = due.user_id and other.channel = 'email' and other.sent_at is null
      and other.due_at <= ${later(now, togetherMs).toISOString()} and other.id <> all(${sql.param([...dueIds])}::uuid[])
    join news about on about.id = other.news_id and about.kind = news.kind
    where due.id = any(${sql.param([...dueIds])}::uuid[]) and due.channel = 'email'
      and news.kind not in ${sqlWords(emailsAlways)}
    for update of other skip locked`);
  return [...new Set(found.rows.map(({ id }) => id))];
}

/** Puts a claimed notice back, due again later. */
export async function postpone(tx: Db, noticeId: string, dueAt: Date): Promise<void> {
  await tx.update(notices).set({ sentAt: null, dueAt }).where(eq(notices.id, noticeId));
}

/** Records that a notice was sent. @returns its notification, where that was not recorded yet. */
export async function noteLeft(tx: Db, noticeId: string, at: Date): Promise<NewsRow | null> {
  const [left] = await tx
    .update(notices)
    .set({ leftAt: at })
    .where(and(eq(notices.id, noticeId), isNull(notices.leftAt)))
    .returning({ newsId: notices.newsId });
  if (left === undefined) return null;
  const [row] = await tx.select().from(news).where(eq(news.id, left.newsId));
  return row ?? null;
}

export async function newsById(db: Db, id: string): Promise<NewsRow | null> {
  return (await db.select().from(news).where(eq(news.id, id)))[0] ?? null;
}

/** True where a push service has taken a notification since it was last new. */
export async function hasLeftByPush(tx: Db, newsId: string, since: Date): Promise<boolean> {
  const left = await tx
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.newsId, newsId), eq(notices.channel, 'push'), gte(notices.leftAt, since)));
  return left.length > 0;
}

/** When a push service has last taken a notification about a thing, since an instant; null for none. */
export async function lastPush(
  tx: Db,
  { userId, thing, since }: { userId: string; thing: string; since: Date },
): Promise<Date | null> {
  const [left] = await tx
    .select({ at: notices.leftAt })
    .from(notices)
    .innerJoin(news, eq(news.id, notices.newsId))
    .where(
      and(
        eq(news.userId, userId),
        eq(news.thing, thing),
        eq(notices.channel, 'push'),
        gte(notices.leftAt, since),
      ),
    )
    .orderBy(desc(notices.leftAt))
    .limit(1);
  return left?.at ?? null;
}

export async function newsOf(
  db: Db,
  userId: string,
  page: { offset: number; size: number },
): Promise<{ rows: NewsRow[]; total: number }> {
  const own = eq(news.userId, userId);
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(news)
      .where(own)
      .orderBy(desc(news.at), desc(news.id))
      .offset(page.offset)
      .limit(page.size),
    db.select({ total: count() }).from(news).where(own),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The number of unread notifications, without messages, which have a count of their own. */
export async function unreadNews(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(news)
    .where(and(eq(news.userId, userId), isNull(news.readAt), sql`${news.kind} <> 'chat'`));
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
        ? eq(news.path, which.path)
        : inArray(news.id, [...which.ids]);
  const rows = await tx
    .update(news)
    .set({ readAt: now })
    .where(and(eq(news.userId, userId), isNull(news.readAt), chosen))
    .returning({ thing: news.thing });
  return [...new Set(rows.map(({ thing }) => thing))];
}

export async function markSeen(tx: Db, userId: string, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .update(news)
    .set({ seenAt: now })
    .where(and(eq(news.userId, userId), inArray(news.id, [...ids]), isNull(news.seenAt)));
}

/** Marks notifications from before an instant as read at their own time. */
export async function readNewsBefore(db: Db, before: Date): Promise<void> {
  await db.update(news).set({ readAt: news.at }).where(lt(news.at, before));
}

/** Deletes notifications from before an instant, with what is left of their way out of the app. */
export const forgetNews = (db: Db, before: Date): Promise<void> =>
  inPages(news, sql`where at < ${before.toISOString()} order by at`, (page) => db.delete(news).where(page));

export const erasure = {
  notification_settings: (tx, personId) =>
    tx.delete(notificationSettings).where(eq(notificationSettings.userId, personId)),
  news: async (tx, personId) => {
    await tx.delete(news).where(eq(news.userId, personId));
    // Notifications to others about the person are deleted, too.
    await tx.delete(news).where(eq(news.otherId, personId));
  },
  notices: (tx, personId) => tx.delete(notices).where(eq(notices.userId, personId)),
} satisfies Erasure;
