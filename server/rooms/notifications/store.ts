import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { NotificationChoices } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../base/db.ts';
import { circleReaches } from '../../tables/circles.ts';
import { users } from '../../tables/identity.ts';
import { notices, notificationSettings } from '../../tables/notifications.ts';
import { requests, rides } from '../../tables/rides.ts';

export type NoticeRow = typeof notices.$inferSelect;

const mostAtOnce = 100;
const mostNearby = 500;

export async function choicesOf(db: Db, userId: string): Promise<NotificationChoices | null> {
  const [row] = await db
    .select({ choices: notificationSettings.choices })
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId));
  return row?.choices ?? null;
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

/** Keeps a notice until it is due; the same news for the same person on the same channel is one notice. */
export async function insertNotice(db: Db, notice: Omit<typeof notices.$inferInsert, 'id'>): Promise<void> {
  await db
    .insert(notices)
    .values({ ...notice, id: randomUUID() })
    .onConflictDoNothing();
}

/** Takes what is due, marked as sent in the same transaction; another process takes the rest. */
export async function takeDue(tx: Db, now: Date): Promise<NoticeRow[]> {
  const due = await tx
    .select({ id: notices.id })
    .from(notices)
    .where(and(isNull(notices.sentAt), lte(notices.dueAt, now)))
    .orderBy(asc(notices.dueAt))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true });
  if (due.length === 0) return [];
  return tx
    .update(notices)
    .set({ sentAt: now })
    .where(
      inArray(
        notices.id,
        due.map(({ id }) => id),
      ),
    )
    .returning();
}

export async function forgetSent(db: Db, before: Date): Promise<void> {
  await db.delete(notices).where(and(isNotNull(notices.sentAt), lt(notices.sentAt, before)));
}

export interface OrderFacts {
  orderNumber: string;
  departsAt: Date;
  timeZone: string;
}

export async function orderFacts(
  db: Db,
  of: { rideId: string } | { requestId: string },
): Promise<OrderFacts | null> {
  const [row] =
    'rideId' in of
      ? await db
          .select({ orderNumber: rides.orderNumber, departsAt: rides.departsAt, timeZone: rides.timeZone })
          .from(rides)
          .where(eq(rides.id, of.rideId))
      : await db
          .select({
            orderNumber: requests.orderNumber,
            departsAt: requests.earliestAt,
            timeZone: requests.timeZone,
          })
          .from(requests)
          .where(eq(requests.id, of.requestId));
  return row ?? null;
}

/**
 * People who want to hear of new orders around their home or work, have one of these within their distance of the
 * order's start, and whom its circle reaches. Of a series the first day alone is news. Distances on a sphere.
 */
export async function neighboursOf(
  db: Db,
  of: { rideId: string } | { requestId: string },
): Promise<string[]> {
  const isRide = 'rideId' in of;
  const table = isRide ? rides : requests;
  const owner = isRide ? rides.driverId : requests.passengerId;
  const orderId = isRide ? of.rideId : of.requestId;
  const found = await db.execute<{ id: string }>(sql`
    select distinct ${users.id} as id
    from ${table}
    join shortcuts s on s.label in ('home', 'work')
      and s.at_lat between ${table.fromLat} - 0.3 and ${table.fromLat} + 0.3
      and s.at_lon between ${table.fromLon} - 0.5 and ${table.fromLon} + 0.5
    join ${users} on ${users.id} = s.owner_id and ${users.id} <> ${owner} and ${users.deletionDueAt} is null
    join notification_settings n on n.user_id = s.owner_id
    where ${table.id} = ${orderId}
      and (n.choices ->> 'agreed')::boolean
      and (n.choices -> 'location' ->> (case s.label when 'home' then 'nearHome' else 'nearWork' end))::boolean
      and 12742000 * asin(sqrt(least(1, power(sin(radians(s.at_lat - ${table.fromLat}) / 2), 2)
        + cos(radians(s.at_lat)) * cos(radians(${table.fromLat})) * power(sin(radians(s.at_lon - ${table.fromLon}) / 2), 2))))
        <= (n.choices -> 'location' ->> 'withinMetres')::double precision
      and not ${table.women}
      and ${circleReaches(table, owner, users.id)}
      and (${table.seriesId} is null or not exists (
        select 1 from ${table} earlier where earlier.series_id = ${table.seriesId}
          and ${isRide ? sql`earlier.departs_at < ${rides.departsAt}` : sql`earlier.earliest_at < ${requests.earliestAt}`}))
    limit ${mostNearby}`);
  return found.rows.map(({ id }) => id);
}
