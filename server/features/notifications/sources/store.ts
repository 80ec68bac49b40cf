import { sql } from 'drizzle-orm';
import { namedStatement, type Db, type NamedStatement } from '../../../platform/database/db.ts';
import type { KeptStatements } from '../../../platform/database/kept-statements.ts';
import { readSetting, writeSetting } from '../../../platform/database/settings.ts';
import { notifications } from '../../../schema/notifications.ts';
import { toldAround } from '../../geo/queries.ts';
import { isStaying } from '../../identity/queries.ts';
import { circleReaches } from '../../orders/audience/queries.ts';
import { answerStatesOf, changesAskedOf } from '../../orders/bookings/queries.ts';
import { ordersAsNews } from '../../orders/queries.ts';
import type { NotificationPorts } from '../ports.ts';
import type { AskedBooking, AskedChange } from '../rules/answers.ts';

/** How many saved places, the nearest ones, an order is announced to. */
const mostNearby = 300;

/**
 * People in the audiences of orders who want notifications of new orders near saved places and have such a
 * place within their distance of an order's start; by order. Only the first day of recurring rides counts.
 * Distances on a sphere.
 */
export async function neighboursOf(
  kept: Pick<KeptStatements, 'read'>,
  { rideIds, requestIds }: { rideIds: readonly string[]; requestIds: readonly string[] },
): Promise<Map<string, string[]>> {
  const [ofRides, ofRequests] = await Promise.all([
    neighboursAmong(kept, 'rides', rideIds),
    neighboursAmong(kept, 'requests', requestIds),
  ]);
  const grouped = Map.groupBy([...ofRides, ...ofRequests], ({ orderId }) => orderId);
  // A person may have several places near the start.
  return new Map(
    [...grouped].map(([orderId, people]) => [orderId, [...new Set(people.map(({ id }) => id))]]),
  );
}

async function neighboursAmong(
  kept: Pick<KeptStatements, 'read'>,
  kind: 'rides' | 'requests',
  orderIds: readonly string[],
): Promise<{ orderId: string; id: string }[]> {
  if (orderIds.length === 0) return [];
  const found = await kept.read<{ order_id: string; id: string }>(neighbors[kind]({ ids: [...orderIds] }));
  return found.map(({ order_id: orderId, id }) => ({ orderId, id }));
}

function findingNeighbours(kind: 'rides' | 'requests'): NamedStatement {
  const order = {
    id: sql`o.id`,
    visibility: sql`o.visibility`,
    tagIds: sql`o.tag_ids`,
    women: sql`o.women`,
  };
  const [owner, neighbor] = [sql`o.owner_id`, sql`s.owner_id`];
  return namedStatement(sql`
    select o.id as order_id, near.id from (${ordersAsNews(kind, sql.placeholder('ids'))}) o cross join lateral (
      select ${neighbor} as id
      from (${toldAround({ lon: sql`o.from_lon`, lat: sql`o.from_lat` })}) s
      -- Looked up one by one: a join may read the settings of all people.
      cross join lateral (select choices from notification_settings where user_id = ${neighbor} limit 1) n
      where ${neighbor} <> ${owner} and ${isStaying(neighbor)}
        and coalesce(n.choices -> 'location' ->> 'of', 'both') in ('both', ${kind})
        and not o.women and ${circleReaches(order, owner, neighbor)} and o.is_first
      order by s.degrees
      limit ${mostNearby}
    ) near`);
}

const neighbors = { rides: findingNeighbours('rides'), requests: findingNeighbours('requests') };

/** Bookings and proposed changes that notifications ask one person about, by id. */
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

/** Which of these sources have already notified at least one person. */
export async function toldSources(db: Db, sources: readonly string[]): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const rows = await db
    .selectDistinct({ source: notifications.source })
    .from(notifications)
    .where(sql`${notifications.source} = any(${sql.param([...sources])}::text[])`);
  return new Set(rows.map(({ source }) => source));
}

const toldSetting = 'messages told until';

/** The instant up to which messages have been checked and notified; null before the first check. */
export async function messagesToldUntil(db: Db): Promise<Date | null> {
  const value = await readSetting(db, toldSetting);
  return typeof value === 'string' ? new Date(value) : null;
}

export const keepMessagesTold = (db: Db, until: Date): Promise<void> =>
  writeSetting(db, toldSetting, until.toISOString());

/** A notification of messages, by its place among the unread ones. */
export interface UnreadMessages {
  id: string;
  userId: string;
  at: Date;
  /** Its messages were read in their room since. */
  isRead: boolean;
}

/** A page of unread notifications of messages from after an instant, in the order in which they came. */
export async function unreadMessagesAfter(
  db: Db,
  { readMarks }: Pick<NotificationPorts, 'readMarks'>,
  after: Pick<UnreadMessages, 'at' | 'id'>,
  limit: number,
): Promise<UnreadMessages[]> {
  const found = await db.execute<{ id: string; user_id: string; at_ms: string; is_read: boolean }>(sql`
    select notifications.id, notifications.user_id, extract(epoch from notifications.at) * 1000 as at_ms, coalesce(
      (select notifications.source <> 'room:' || mark.room_id || ':' || mark.read_seq from (${readMarks}) mark
        where mark.user_id = notifications.user_id
          and mark.room_id = (case when notifications.thing like 'room:%' then substring(notifications.thing from 6) end)::uuid), false) as is_read
    from notifications where kind = 'chat' and read_at is null
      and (notifications.at, notifications.id) > (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)
    order by notifications.at, notifications.id limit ${limit}`);
  return found.rows.map(({ id, user_id: userId, at_ms: atMs, is_read: isRead }) => ({
    id,
    userId,
    at: new Date(Number(atMs)),
    isRead,
  }));
}
