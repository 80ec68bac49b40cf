import { and, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { expectedStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../../platform/database/settings.ts';
import { chatMembers, chatMessages } from '../../../schema/chat.ts';
import { circleReaches, isActive } from '../../../schema/audience.ts';
import { events } from '../../../schema/events.ts';
import { users } from '../../../schema/identity.ts';
import { licences } from '../../../schema/vehicles.ts';
import { news } from '../../../schema/notifications.ts';
import { bookings, changeAnswers, changeProposals, requests, rides } from '../../../schema/rides.ts';
import type { AskedBooking, AskedChange } from '../rules/answers.ts';

const mostNearby = 500;

export async function eventName(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db.select({ name: events.name }).from(events).where(eq(events.id, eventId));
  return row?.name ?? null;
}

/** Why a license's photos were refused. */
export async function licenceReason(db: Db, licenceId: string): Promise<string> {
  const [row] = await db.select({ result: licences.result }).from(licences).where(eq(licences.id, licenceId));
  return row?.result ?? '';
}

/**
 * People who want to hear of new orders around places they have saved, have one of these within their distance of the
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
    join shortcuts s on s.at_lat between ${table.fromLat} - 0.3 and ${table.fromLat} + 0.3
      and s.at_lon between ${table.fromLon} - 0.5 and ${table.fromLon} + 0.5
    join ${users} on ${users.id} = s.owner_id and ${users.id} <> ${owner} and ${users.deletionDueAt} is null
    join notification_settings n on n.user_id = s.owner_id
    where ${table.id} = ${orderId}
      and coalesce(n.choices -> 'location' ->> 'of', 'both') in ('both', ${isRide ? 'rides' : 'requests'})
      and (n.choices -> 'location' ->> (case s.label when 'home' then 'nearHome' when 'work' then 'nearWork' else 'nearOther' end))::boolean
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

/** Agreed rides that nobody has set out on yet, with a pick-up or departure in a span of time. */
export async function comingRides(db: Db, from: Date, until: Date) {
  return db
    .select({
      bookingId: bookings.id,
      rideId: rides.id,
      requestId: bookings.requestId,
      driverId: rides.driverId,
      passengerId: bookings.passengerId,
      pickupAt: bookings.pickupAt,
      joinedAt: bookings.joinedAt,
      departsAt: rides.departsAt,
      timeZone: rides.timeZone,
    })
    .from(bookings)
    .innerJoin(rides, eq(rides.id, bookings.rideId))
    .where(
      and(
        inArray(bookings.state, [...expectedStates]),
        isNotNull(bookings.joinedAt),
        gt(bookings.pickupAt, from),
        lt(bookings.pickupAt, until),
      ),
    )
    .orderBy(rides.departsAt, bookings.joinedAt);
}

/** Bookings and proposed changes that news asks one person about, by id. */
export async function askedOf(
  db: Db,
  userId: string,
  { bookingIds, changeIds }: { bookingIds: readonly string[]; changeIds: readonly string[] },
): Promise<{ bookings: Map<string, AskedBooking>; changes: Map<string, AskedChange> }> {
  const ofPerson = and(
    eq(changeAnswers.proposalId, changeProposals.id),
    eq(changeAnswers.passengerId, userId),
  );
  const { id, state, awaits, fareCents, joinedAt, expiresAt } = bookings;
  const [booked, proposed] = await Promise.all([
    bookingIds.length === 0
      ? []
      : db
          .select({ id, state, awaits, fareCents, joinedAt, expiresAt })
          .from(bookings)
          .where(inArray(id, [...bookingIds])),
    changeIds.length === 0
      ? []
      : db
          .select({
            id: changeProposals.id,
            isOpen: sql<boolean>`${changeProposals.state} = 'open'`,
            expiresAt: changeProposals.expiresAt,
            accepted: changeAnswers.accepted,
          })
          .from(changeProposals)
          .leftJoin(changeAnswers, ofPerson)
          .where(inArray(changeProposals.id, [...changeIds])),
  ]);
  return {
    bookings: new Map(booked.map((row) => [row.id, row])),
    changes: new Map(proposed.map((row) => [row.id, row])),
  };
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

/** For each person with unread messages, some of them written in a span of time: how many, and from whom the last one is. */
export async function unreadMessages(db: Db, from: Date, until: Date) {
  const fresh = db
    .selectDistinct({ roomId: chatMessages.roomId })
    .from(chatMessages)
    .where(
      and(
        gt(chatMessages.at, from),
        sql`${chatMessages.at} <= ${until.toISOString()}`,
        isNotNull(chatMessages.senderId),
      ),
    );
  const found = await db
    .select({
      userId: chatMembers.userId,
      roomId: chatMembers.roomId,
      readSeq: chatMembers.readSeq,
      count: sql<number>`count(*)::int`,
      senderId: sql<string>`(array_agg(${chatMessages.senderId} order by ${chatMessages.seq} desc))[1]`,
    })
    .from(chatMembers)
    .innerJoin(
      chatMessages,
      and(eq(chatMessages.roomId, chatMembers.roomId), gt(chatMessages.seq, chatMembers.readSeq)),
    )
    .where(
      and(
        inArray(chatMembers.roomId, fresh),
        sql`${chatMembers.leftAt} is null`,
        isNotNull(chatMessages.senderId),
        sql`${chatMessages.senderId} <> ${chatMembers.userId}`,
        isActive(chatMessages.senderId),
      ),
    )
    .groupBy(chatMembers.userId, chatMembers.roomId, chatMembers.readSeq);
  return found;
}

/** News of messages that have been read in their room since, told after an instant. */
export async function messagesReadSince(db: Db, toldAfter: Date): Promise<{ id: string; userId: string }[]> {
  const found = await db.execute<{ id: string; user_id: string }>(sql`
    select ${news.id} as id, ${news.userId} as user_id from ${news}
    join ${chatMembers} on ${chatMembers.userId} = ${news.userId} and ${news.thing} = 'room:' || ${chatMembers.roomId}
    where ${news.at} > ${toldAfter.toISOString()} and ${news.readAt} is null and ${news.kind} = 'chat'
      and ${news.source} <> 'room:' || ${chatMembers.roomId} || ':' || ${chatMembers.readSeq}`);
  return found.rows.map(({ id, user_id: userId }) => ({ id, userId }));
}
