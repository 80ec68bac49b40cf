import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../../platform/database/settings.ts';
import { news } from '../../../schema/notifications.ts';
import { shortcutsAround } from '../../geo/queries.ts';
import { isStaying } from '../../identity/queries.ts';
import { circleReaches } from '../../orders/audience/queries.ts';
import { answerStatesOf, changesAskedOf } from '../../orders/bookings/queries.ts';
import { orderAsNews } from '../../orders/queries.ts';
import type { AskedBooking, AskedChange } from '../rules/answers.ts';

const mostNearby = 500;

/** What news asks of events and of the chat, which stand above notifications: `server/app.ts` hands it in. */
export interface UpperSources {
  /** How an event is called; null where there is none. */
  eventName(db: Db, eventId: string): Promise<string | null>;
  /**
   * For each person with unread messages, some of them written in a span of time: how many, and from whom the
   * last one is.
   */
  unreadMessages(
    db: Db,
    from: Date,
    until: Date,
  ): Promise<{ userId: string; roomId: string; readSeq: number; count: number; senderId: string }[]>;
  /** Up to where each member has read each room, as a statement of `user_id`, `room_id` and `read_seq`. */
  readMarks: SQL;
}

/**
 * People who want to hear of new orders around places they have saved, have one of these within their
 * distance of the order's start, and whom its circle reaches. Of a series the first day alone is news.
 * Distances on a sphere.
 */
export async function neighboursOf(
  db: Db,
  of: { rideId: string } | { requestId: string },
): Promise<string[]> {
  const kind = 'rideId' in of ? 'rides' : 'requests';
  const order = {
    id: sql`o.id`,
    visibility: sql`o.visibility`,
    tagIds: sql`o.tag_ids`,
    women: sql`o.women`,
  };
  const [owner, neighbour] = [sql`o.owner_id`, sql`s.owner_id`];
  const found = await db.execute<{ id: string }>(sql`
    select distinct ${neighbour} as id
    from (${orderAsNews(of)}) o
    cross join lateral (${shortcutsAround({ lon: sql`o.from_lon`, lat: sql`o.from_lat` })}) s
    join notification_settings n on n.user_id = ${neighbour}
    where ${neighbour} <> ${owner} and ${isStaying(neighbour)}
      and coalesce(n.choices -> 'location' ->> 'of', 'both') in ('both', ${kind})
      and (n.choices -> 'location' ->> (case s.label when 'home' then 'nearHome' when 'work' then 'nearWork' else 'nearOther' end))::boolean
      and s.metres <= (n.choices -> 'location' ->> 'withinMetres')::double precision
      and not o.women and ${circleReaches(order, owner, neighbour)} and o.is_first
    limit ${mostNearby}`);
  return found.rows.map(({ id }) => id);
}

/** Bookings and proposed changes that news asks one person about, by id. */
export async function askedOf(
  db: Db,
  userId: string,
  { bookingIds, changeIds }: { bookingIds: readonly string[]; changeIds: readonly string[] },
): Promise<{ bookings: Map<string, AskedBooking>; changes: Map<string, AskedChange> }> {
  const [bookings, changes] = await Promise.all([
    answerStatesOf(db, bookingIds),
    changesAskedOf(db, userId, changeIds),
  ]);
  return { bookings, changes };
}

/** Which of these sources have told their news already, to anybody. */
export async function toldSources(db: Db, sources: readonly string[]): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ source: news.source })
    .from(news)
    .where(inArray(news.source, [...sources]));
  return new Set(rows.map(({ source }) => source));
}

const toldSetting = 'messages told until';

/** Until when messages have been looked at and told; null before the first look. */
export async function messagesToldUntil(db: Db): Promise<Date | null> {
  const value = await readSetting(db, toldSetting);
  return typeof value === 'string' ? new Date(value) : null;
}

export const keepMessagesTold = (db: Db, until: Date): Promise<void> =>
  writeSetting(db, toldSetting, until.toISOString());

/** News of messages that have been read in their room since, told after an instant. */
export async function messagesReadSince(
  db: Db,
  { readMarks }: Pick<UpperSources, 'readMarks'>,
  toldAfter: Date,
): Promise<{ id: string; userId: string }[]> {
  const found = await db.execute<{ id: string; user_id: string }>(sql`
    select ${news.id} as id, ${news.userId} as user_id from ${news}
    join (${readMarks}) mark on mark.user_id = ${news.userId} and ${news.thing} = 'room:' || mark.room_id
    where ${news.at} > ${toldAfter.toISOString()} and ${news.readAt} is null and ${news.kind} = 'chat'
      and ${news.source} <> 'room:' || mark.room_id || ':' || mark.read_seq`);
  return found.rows.map(({ id, user_id: userId }) => ({ id, userId }));
}
