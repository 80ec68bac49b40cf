import { sql, type SQL } from 'drizzle-orm';
import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { StatementPart } from '../../../platform/database/statement-parts.ts';
import { loggingRows } from '../../../platform/events/event-log.ts';
import type { news } from '../../../schema/notifications.ts';

/** A notification to be stored. */
export interface NewNews extends Omit<typeof news.$inferSelect, 'seenAt'> {
  n: number;
  /**
   * What happens where its source has notified the person before: `once`: nothing; `grows`: it is renewed
   * where its count has changed; `replaces`: it is replaced where it says another thing.
   */
  way: 'once' | 'grows' | 'replaces';
}

/** A notification's way out on one channel. */
export interface NewNotice {
  /** The notification's. */
  n: number;
  id: string;
  channel: NotificationChannel;
  dueAt: Date;
  goodUntil: Date | null;
  /** It is sent again on this channel, if it was sent before. */
  isAnew: boolean;
}

/**
 * Stores notifications and plans their channels; of each that is new or has changed its person is told in the
 * open app.
 * @param newNews no two of one source and person
 */
export function writingNotices(
  newNews: readonly NewNews[],
  newNotices: readonly NewNotice[],
  now: Date,
): StatementPart[] {
  return [
    { name: 'given_news', query: givenNews(newNews) },
    { name: 'once', query: storing('once', sql`do nothing`) },
    {
      // Read in the center, and grown since: becomes new again.
      name: 'grown',
      query: storing(
        'grows',
        sql`(source, user_id) do update set facts = excluded.facts, at = excluded.at, seen_at = null, read_at = null
          where news.facts ->> 'count' is distinct from excluded.facts ->> 'count'`,
      ),
    },
    {
      name: 'replaced',
      query: storing(
        'replaces',
        sql`(source, user_id) do update set word = excluded.word, facts = excluded.facts, path = excluded.path,
          other_id = excluded.other_id, at = excluded.at, seen_at = null, read_at = excluded.read_at
          where news.word <> excluded.word`,
      ),
    },
    {
      name: 'told_news',
      query: sql`select given.n, given.kind, stored.id, stored.user_id from (
          select * from once union all select * from grown union all select * from replaced
        ) stored join given_news given on given.source = stored.source and given.user_id = stored.user_id`,
    },
    { name: 'given_notice', query: givenNotices(newNotices) },
    { name: 'planned', query: planning(sql`not given.is_anew`, sql`do nothing`) },
    {
      name: 'planned_anew',
      query: planning(
        sql`given.is_anew`,
        sql`(news_id, channel) do update set due_at = excluded.due_at, good_until = excluded.good_until,
          sent_at = null, left_at = null`,
      ),
    },
    loggingRows(
      'told_live',
      now,
      sql`select 'live.changed' as name, 'notification:' || id as key, n, jsonb_build_object(
          'userIds', jsonb_build_array(user_id),
          'changed', jsonb_build_object('topic', 'notification', 'id', id, 'news', 'told.' || kind)) as payload
        from told_news`,
    ),
  ];
}

/** All values of one column, as one parameter. */
const column = <T>(rows: readonly T[], of: (row: T) => string | boolean | number | null): SQL =>
  sql`${sql.param(rows.map(of))}`;

const givenNews = (rows: readonly NewNews[]): SQL => sql`
  select * from unnest(
    ${column(rows, ({ n }) => n)}::int[], ${column(rows, ({ id }) => id)}::uuid[],
    ${column(rows, ({ userId }) => userId)}::uuid[], ${column(rows, ({ otherId }) => otherId)}::uuid[],
    ${column(rows, ({ source }) => source)}::text[], ${column(rows, ({ thing }) => thing)}::text[],
    ${column(rows, ({ kind }) => kind)}::text[], ${column(rows, ({ word }) => word)}::text[],
    ${column(rows, ({ facts }) => JSON.stringify(facts))}::jsonb[], ${column(rows, ({ path }) => path)}::text[],
    ${column(rows, ({ at }) => at.toISOString())}::timestamptz[],
    ${column(rows, ({ readAt }) => readAt?.toISOString() ?? null)}::timestamptz[],
    ${column(rows, ({ way }) => way)}::text[]
  ) as given (n, id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at, way)`;

const storing = (way: NewNews['way'], onConflict: SQL): SQL => sql`
  insert into news (id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at)
  select id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at from given_news
  where way = ${sql.raw(`'${way}'`)} order by source, user_id on conflict ${onConflict}
  returning id, source, user_id`;

const givenNotices = (rows: readonly NewNotice[]): SQL => sql`
  select * from unnest(
    ${column(rows, ({ n }) => n)}::int[], ${column(rows, ({ id }) => id)}::uuid[],
    ${column(rows, ({ channel }) => channel)}::text[],
    ${column(rows, ({ dueAt }) => dueAt.toISOString())}::timestamptz[],
    ${column(rows, ({ goodUntil }) => goodUntil?.toISOString() ?? null)}::timestamptz[],
    ${column(rows, ({ isAnew }) => isAnew)}::boolean[]
  ) as given (n, id, channel, due_at, good_until, is_anew)`;

const planning = (which: SQL, onConflict: SQL): SQL => sql`
  insert into notices (id, news_id, user_id, channel, due_at, good_until)
  select given.id, told.id, told.user_id, given.channel, given.due_at, given.good_until
  from given_notice given join told_news told on told.n = given.n
  where ${which} order by told.id, given.channel on conflict ${onConflict}`;
