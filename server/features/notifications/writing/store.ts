import { sql, type SQL } from 'drizzle-orm';
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { notifications } from '../../../schema/notifications.ts';

/** A notification to be stored. */
export interface NewNews extends Omit<typeof notifications.$inferSelect, 'seenAt'> {
  /**
   * The effect where its source has notified the person before: `once`: none; `grows`: it is renewed where
   * its count has changed; `replaces`: it is replaced where it says another thing.
   */
  way: 'once' | 'grows' | 'replaces';
  /** Its deliveries outside of the app. */
  notices: readonly NewNotice[];
}

/** The delivery of a notification on one channel. */
export interface NewNotice {
  id: string;
  channel: NotificationChannel;
  dueAt: Date;
  goodUntil: Date | null;
  /** It is sent again on this channel, if it was sent before. */
  isAnew: boolean;
}

const onConflict: Record<NewNews['way'], SQL> = {
  once: sql`do nothing`,
  // Read in the center, and grown since: becomes new again.
  grows: sql`(source, user_id) do update set facts = excluded.facts, at = excluded.at, seen_at = null, read_at = null
    where notifications.facts ->> 'count' is distinct from excluded.facts ->> 'count'`,
  replaces: sql`(source, user_id) do update set word = excluded.word, facts = excluded.facts, path = excluded.path,
    other_id = excluded.other_id, at = excluded.at, seen_at = null, read_at = excluded.read_at
    where notifications.word <> excluded.word`,
};

/**
 * Stores notifications and plans their deliveries.
 * @param rows no two of one source and person
 * @returns those that are new or have changed, under the ids that they are stored with
 */
export async function storeNews(tx: Db, rows: readonly NewNews[]): Promise<NewNews[]> {
  const stored: NewNews[] = [];
  for (const way of ['once', 'grows', 'replaces'] as const) {
    const given = new Map(
      rows.filter((row) => row.way === way).map((row) => [`${row.source} ${row.userId}`, row]),
    );
    if (given.size === 0) continue;
    const { rows: changed } = await tx.execute<{ id: string; source: string; userId: string }>(sql`
      insert into notifications (id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at)
      select id, "userId", "otherId", source, thing, kind, word, facts, path, at, "readAt"
      from jsonb_to_recordset(${JSON.stringify([...given.values()])}::jsonb) as given (
        id uuid, "userId" uuid, "otherId" uuid, source text, thing text, kind text, word text, facts jsonb,
        path text, at timestamptz, "readAt" timestamptz)
      order by source, "userId" on conflict ${onConflict[way]}
      returning id, source, user_id as "userId"`);
    for (const { id, source, userId } of changed) stored.push({ ...given.get(`${source} ${userId}`)!, id });
  }
  const notices = stored.flatMap((row) =>
    row.notices.map((notice) => ({ ...notice, newsId: row.id, userId: row.userId })),
  );
  await planNotices(
    tx,
    notices.filter(({ isAnew }) => !isAnew),
    sql`do nothing`,
  );
  await planNotices(
    tx,
    notices.filter(({ isAnew }) => isAnew),
    sql`(notification_id, channel) do update set due_at = excluded.due_at, good_until = excluded.good_until,
      sent_at = null, left_at = null`,
  );
  return stored;
}

async function planNotices(
  tx: Db,
  notices: readonly (NewNotice & { newsId: string; userId: string })[],
  onConflictOf: SQL,
): Promise<void> {
  if (notices.length === 0) return;
  await tx.execute(sql`
    insert into notification_deliveries (id, notification_id, user_id, channel, due_at, good_until)
    select id, "newsId", "userId", channel, "dueAt", "goodUntil"
    from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as given (
      id uuid, "newsId" uuid, "userId" uuid, channel text, "dueAt" timestamptz, "goodUntil" timestamptz)
    order by "newsId", channel on conflict ${onConflictOf}`);
}
