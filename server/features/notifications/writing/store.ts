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
    { name: 'given_news', query: givenNews, values: valuesOfNews(newNews) },
    { name: 'once', query: storedOnce },
    { name: 'grown', query: storedGrown },
    { name: 'replaced', query: storedReplaced },
    { name: 'told_news', query: toldNews },
    { name: 'given_notice', query: givenNotices, values: valuesOfNotices(newNotices) },
    { name: 'planned', query: plannedOnce },
    { name: 'planned_anew', query: plannedAnew },
    tellingNews(now),
  ];
}

const fresh = (name: string) => sql.placeholder(`news.${name}`);

const givenNews = sql`
  select * from unnest(
    ${fresh('ns')}::int[], ${fresh('ids')}::uuid[], ${fresh('userIds')}::uuid[], ${fresh('otherIds')}::uuid[],
    ${fresh('sources')}::text[], ${fresh('things')}::text[], ${fresh('kinds')}::text[], ${fresh('words')}::text[],
    ${fresh('facts')}::jsonb[], ${fresh('paths')}::text[], ${fresh('ats')}::timestamptz[],
    ${fresh('readAts')}::timestamptz[], ${fresh('ways')}::text[]
  ) as given (n, id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at, way)`;

const valuesOfNews = (rows: readonly NewNews[]): StatementPart['values'] => ({
  'news.ns': rows.map(({ n }) => n),
  'news.ids': rows.map(({ id }) => id),
  'news.userIds': rows.map(({ userId }) => userId),
  'news.otherIds': rows.map(({ otherId }) => otherId),
  'news.sources': rows.map(({ source }) => source),
  'news.things': rows.map(({ thing }) => thing),
  'news.kinds': rows.map(({ kind }) => kind),
  'news.words': rows.map(({ word }) => word),
  'news.facts': rows.map(({ facts }) => JSON.stringify(facts)),
  'news.paths': rows.map(({ path }) => path),
  'news.ats': rows.map(({ at }) => at.toISOString()),
  'news.readAts': rows.map(({ readAt }) => readAt?.toISOString() ?? null),
  'news.ways': rows.map(({ way }) => way),
});

const storing = (way: NewNews['way'], onConflict: SQL): SQL => sql`
  insert into news (id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at)
  select id, user_id, other_id, source, thing, kind, word, facts, path, at, read_at from given_news
  where way = ${sql.raw(`'${way}'`)} order by source, user_id on conflict ${onConflict}
  returning id, source, user_id`;

const storedOnce = storing('once', sql`do nothing`);
// Read in the center, and grown since: becomes new again.
const storedGrown = storing(
  'grows',
  sql`(source, user_id) do update set facts = excluded.facts, at = excluded.at, seen_at = null, read_at = null
    where news.facts ->> 'count' is distinct from excluded.facts ->> 'count'`,
);
const storedReplaced = storing(
  'replaces',
  sql`(source, user_id) do update set word = excluded.word, facts = excluded.facts, path = excluded.path,
    other_id = excluded.other_id, at = excluded.at, seen_at = null, read_at = excluded.read_at
    where news.word <> excluded.word`,
);

// What is new has the id that it was given: most are, and a join would hold each against each.
const toldNews = sql`
  select n, kind, id, user_id from given_news where id = any(array(select id from once))
  union all
  select given.n, given.kind, stored.id, stored.user_id from (
    select * from grown union all select * from replaced
  ) stored join given_news given on given.source = stored.source and given.user_id = stored.user_id`;

const planned = (name: string) => sql.placeholder(`notice.${name}`);

const givenNotices = sql`
  select * from unnest(
    ${planned('ns')}::int[], ${planned('ids')}::uuid[], ${planned('channels')}::text[],
    ${planned('dueAts')}::timestamptz[], ${planned('goodUntils')}::timestamptz[], ${planned('areAnew')}::boolean[]
  ) as given (n, id, channel, due_at, good_until, is_anew)`;

const valuesOfNotices = (rows: readonly NewNotice[]): StatementPart['values'] => ({
  'notice.ns': rows.map(({ n }) => n),
  'notice.ids': rows.map(({ id }) => id),
  'notice.channels': rows.map(({ channel }) => channel),
  'notice.dueAts': rows.map(({ dueAt }) => dueAt.toISOString()),
  'notice.goodUntils': rows.map(({ goodUntil }) => goodUntil?.toISOString() ?? null),
  'notice.areAnew': rows.map(({ isAnew }) => isAnew),
});

const planning = (which: SQL, onConflict: SQL): SQL => sql`
  insert into notices (id, news_id, user_id, channel, due_at, good_until)
  select given.id, told.id, told.user_id, given.channel, given.due_at, given.good_until
  from given_notice given join told_news told on told.n = given.n
  where ${which} order by told.id, given.channel on conflict ${onConflict}`;

const plannedOnce = planning(sql`not given.is_anew`, sql`do nothing`);
const plannedAnew = planning(
  sql`given.is_anew`,
  sql`(news_id, channel) do update set due_at = excluded.due_at, good_until = excluded.good_until,
    sent_at = null, left_at = null`,
);

const tellingNews = loggingRows(
  'told_live',
  sql`select 'live.changed' as name, 'notification:' || id as key, n, json_build_object(
      'userIds', json_build_array(user_id),
      'changed', json_build_object('topic', 'notification', 'id', id, 'news', 'told.' || kind)) as payload
    from told_news`,
);
