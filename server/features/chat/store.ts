import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { mostRooms } from '#contract/chat/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { namedStatement, type Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import type { KeptStatements } from '../../platform/database/kept-statements.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { chatMembers, chatMessages, chatRooms } from '../../schema/chat.ts';
import { placesOf } from '../orders/bookings/queries.ts';
import { roomIdsOf } from './queries.ts';
import { rideOutlines } from '../orders/queries.ts';

export type MessageRow = typeof chatMessages.$inferSelect;
export type MemberRow = typeof chatMembers.$inferSelect;

/** A room with the ride it belongs to. */
export interface RoomRow {
  id: string;
  rideId: string;
  bookingId: string | null;
  lastSeq: number;
  closedAt: Date | null;
  closedBecause: 'ended' | 'joined' | 'over' | null;
  driverId: string;
  from: Place;
  to: Place;
  departsAt: Date;
  timeZone: string;
}

const roomColumns = (ride: ReturnType<typeof rideOutlines>) => ({
  id: chatRooms.id,
  rideId: chatRooms.rideId,
  bookingId: chatRooms.bookingId,
  lastSeq: chatRooms.lastSeq,
  closedAt: chatRooms.closedAt,
  closedBecause: chatRooms.closedBecause,
  driverId: ride.driverId,
  from: { name: ride.fromName, detail: ride.fromDetail, lon: ride.fromLon, lat: ride.fromLat },
  to: { name: ride.toName, detail: ride.toDetail, lon: ride.toLon, lat: ride.toLat },
  departsAt: ride.departsAt,
  timeZone: ride.timeZone,
});

/**
 * Opens a room and adds those who belong to it by the current bookings: the driver and all who have joined a
 * ride, or the two of an open ask. The signal that writes the line may still wait in its queue.
 * @returns whether the person is one of them.
 */
export async function openByRight(db: Db, roomId: string, userId: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The room before its members, as all who change both lock them.
    await tx
      .select({ id: chatRooms.id })
      .from(chatRooms)
      .where(eq(chatRooms.id, roomId))
      .for('no key update');
    const opened = await tx.execute<{ user_id: string }>(sql`
    with place as (${placesOf(roomId)}), who as (
      select driver_id as user_id from place union select passenger_id from place
    ), room as (
      insert into chat_rooms (id, ride_id, booking_id, created_at)
      select distinct ${roomId}::uuid, ride_id, booking_id, ${now.toISOString()}::timestamptz from place
      where exists (select from who where user_id = ${userId})
      on conflict do nothing
      returning id
    ), opened as (
      -- Reading it runs the insert first: the room before its members, as every other writer takes them, to avoid deadlocks.
      select count(*) from room
    )
    insert into chat_members (room_id, user_id, joined_at)
    select ${roomId}::uuid, user_id, ${now.toISOString()}::timestamptz from who, opened
    where exists (select from who where user_id = ${userId})
    order by user_id
    on conflict (room_id, user_id) do update set left_at = null
    returning user_id`);
    if (opened.rows.length > 0) await countChange(tx, roomId);
    return opened.rows.some((row) => row.user_id === userId);
  });
}

/** The members of a room are about to change: the room is locked before them, as by all who change both. */
async function countChange(tx: Db, roomId: string): Promise<void> {
  await tx
    .update(chatRooms)
    .set({ membersVersion: sql`${chatRooms.membersVersion} + 1` })
    .where(eq(chatRooms.id, roomId));
}

export const earlierLine = (db: Db, roomId: string, clientId: string): Promise<MessageRow | null> =>
  firstRow(
    db
      .select()
      .from(chatMessages)
      .where(and(eq(chatMessages.roomId, roomId), eq(chatMessages.clientId, clientId))),
  );

interface LinePlace {
  roomId: string;
  seq: number;
}

/** The key of a line, for maps. */
export const placeOf = ({ roomId, seq }: LinePlace): string => `${roomId} ${seq}`;

/** Lines by their rooms and positions. */
export async function linesAt(
  kept: Pick<KeptStatements, 'read'>,
  places: readonly LinePlace[],
): Promise<Map<string, MessageRow>> {
  const rooms = places.map(({ roomId }) => roomId);
  const seqs = places.map(({ seq }) => seq);
  const rows = await kept.read<MessageRow & Record<string, unknown>>(readingLines({ rooms, seqs }));
  return new Map(rows.map((row) => [placeOf(row), row]));
}

const readingLines = namedStatement(sql`
  select room_id as "roomId", seq, said, client_id as "clientId", sender_id as "senderId", kind, text, system,
    picture_id as "pictureId", place, at
  from chat_messages where (room_id, seq) in (
    select * from unnest(${sql.placeholder('rooms')}::uuid[], ${sql.placeholder('seqs')}::int[]))`);

/** The rooms that a person has entered last and not left: those of rides of long ago are not read. */
const latestRoomsOf = (db: Db, userId: string) =>
  db
    .select({ roomId: chatMembers.roomId, readSeq: chatMembers.readSeq, readSaid: chatMembers.readSaid })
    .from(chatMembers)
    .where(and(eq(chatMembers.userId, userId), isNull(chatMembers.leftAt)))
    .orderBy(desc(chatMembers.joinedAt))
    .limit(mostRooms)
    .as('latest');

export async function roomsOf(db: Db, userId: string): Promise<(RoomRow & { readSeq: number })[]> {
  const ride = rideOutlines(db);
  const latest = latestRoomsOf(db, userId);
  return db
    .select({ ...roomColumns(ride), readSeq: latest.readSeq })
    .from(latest)
    .innerJoin(chatRooms, eq(chatRooms.id, latest.roomId))
    .innerJoin(ride, eq(ride.id, chatRooms.rideId))
    .where(
      // Leaves out a thread without a message once its two people ride together.
      or(
        sql`${chatRooms.closedBecause} is distinct from 'joined'`,
        sql`exists (select 1 from chat_messages c where c.room_id = ${chatRooms.id} and c.kind <> 'system')`,
      ),
    )
    .orderBy(desc(ride.departsAt));
}

/** A room that the person is in; null otherwise. */
export async function roomFor(
  db: Db,
  roomId: string,
  userId: string,
): Promise<(RoomRow & { readSeq: number }) | null> {
  const ride = rideOutlines(db);
  const rows = await db
    .select({ ...roomColumns(ride), readSeq: chatMembers.readSeq })
    .from(chatMembers)
    .innerJoin(chatRooms, eq(chatRooms.id, chatMembers.roomId))
    .innerJoin(ride, eq(ride.id, chatRooms.rideId))
    .where(and(eq(chatMembers.userId, userId), eq(chatMembers.roomId, roomId), isNull(chatMembers.leftAt)));
  return rows[0] ?? null;
}

export async function membersOf(db: Db, roomIds: readonly string[]): Promise<MemberRow[]> {
  if (roomIds.length === 0) return [];
  return db
    .select()
    .from(chatMembers)
    .where(and(inArray(chatMembers.roomId, [...roomIds]), isNull(chatMembers.leftAt)))
    .orderBy(asc(chatMembers.joinedAt));
}

/** The line at the last position of each room, looked up by that position. */
export async function lastMessages(db: Db, roomIds: readonly string[]): Promise<MessageRow[]> {
  if (roomIds.length === 0) return [];
  const rows = await db
    .select({ message: chatMessages })
    .from(chatRooms)
    .innerJoin(
      chatMessages,
      and(eq(chatMessages.roomId, chatRooms.id), eq(chatMessages.seq, chatRooms.lastSeq)),
    )
    .where(inArray(chatRooms.id, [...roomIds]));
  return rows.map(({ message }) => message);
}

/** Newest first from `offset`, or the lines after a position, oldest first. */
export async function messagesOf(
  db: Db,
  roomId: string,
  page: { offset: number; size: number; after: number | undefined },
): Promise<MessageRow[]> {
  if (page.after !== undefined) {
    return db
      .select()
      .from(chatMessages)
      .where(and(eq(chatMessages.roomId, roomId), gt(chatMessages.seq, page.after)))
      .orderBy(asc(chatMessages.seq))
      .limit(page.size);
  }
  return db
    .select()
    .from(chatMessages)
    .where(eq(chatMessages.roomId, roomId))
    .orderBy(desc(chatMessages.seq))
    .offset(page.offset)
    .limit(page.size);
}

/** A line that a person wrote. */
export type SaidRow = MessageRow & { kind: Exclude<MessageRow['kind'], 'system'> };

/**
 * Lines that people wrote around a position, with the line there: `around` before and `around` after it,
 * oldest first.
 */
export async function saidAround(db: Db, roomId: string, seq: number, around: number): Promise<SaidRow[]> {
  const said = and(eq(chatMessages.roomId, roomId), ne(chatMessages.kind, 'system'));
  const [before, after] = await Promise.all([
    db
      .select()
      .from(chatMessages)
      .where(and(said, lt(chatMessages.seq, seq)))
      .orderBy(desc(chatMessages.seq))
      .limit(around),
    db
      .select()
      .from(chatMessages)
      .where(and(said, gte(chatMessages.seq, seq)))
      .orderBy(asc(chatMessages.seq))
      .limit(around + 1),
  ]);
  return [...before.toReversed(), ...after] as SaidRow[];
}

/** The members of rooms, with the version at which they are those. */
export async function membersAtVersion(
  db: Db,
  roomIds: readonly string[],
): Promise<{ roomId: string; ids: string[]; version: number; isOpen: boolean }[]> {
  const found = await db.execute<{ id: string; version: number; is_open: boolean; members: string[] }>(sql`
    select r.id, r.members_version as version, r.closed_at is null as is_open, array(
      select m.user_id from chat_members m where m.room_id = r.id and m.left_at is null
    ) as members from chat_rooms r where r.id = any(${sql.param([...roomIds])}::uuid[])`);
  return found.rows.map(({ id, version, is_open: isOpen, members }) => ({
    roomId: id,
    ids: members,
    version,
    isOpen,
  }));
}

/** Unread lines of others in each room of a person's list, by counters: no line is read for it. */
export async function unreadOf(db: Db, userId: string): Promise<Map<string, number>> {
  const latest = latestRoomsOf(db, userId);
  const found = await db
    .select({ roomId: latest.roomId, unread: sql<number>`${chatRooms.said} - ${latest.readSaid}` })
    .from(latest)
    .innerJoin(chatRooms, eq(chatRooms.id, latest.roomId))
    .where(gt(chatRooms.said, latest.readSaid));
  return new Map(found.map((row) => [row.roomId, row.unread]));
}

/** A read mark that has moved, and how many lines are unread after it. */
export interface MovedMark {
  roomId: string;
  userId: string;
  seq: number;
  unread: number;
  membersVersion: number;
}

/**
 * Moves read marks forward, never back nor beyond the last line; those that did not move are left out. Rooms
 * are locked first, in the order of their ids, as by those who write in them, to avoid deadlocks.
 */
export const moveMarks = (marks: readonly { roomId: string; userId: string; seq: number }[]): SQL => sql`
  with room as (
    select id, last_seq, said, members_version from chat_rooms
    where id = any(${sql.param(marks.map(({ roomId }) => roomId))}::uuid[]) order by id for no key update
  ), mark as (
    select given.room_id, given.user_id, least(given.seq, room.last_seq) as seq, room.said, room.members_version
    from unnest(
      ${sql.param(marks.map(({ roomId }) => roomId))}::uuid[], ${sql.param(marks.map(({ userId }) => userId))}::uuid[],
      ${sql.param(marks.map(({ seq }) => seq))}::int[]
    ) as given (room_id, user_id, seq) join room on room.id = given.room_id
  )
  update chat_members m set read_seq = mark.seq, read_said = (
    select c.said from chat_messages c where c.room_id = mark.room_id and c.seq = mark.seq
  ) from mark
  where m.room_id = mark.room_id and m.user_id = mark.user_id and m.left_at is null and m.read_seq < mark.seq
  returning m.room_id as "roomId", m.user_id as "userId", m.read_seq as seq,
    greatest(0, mark.said - m.read_said) as unread, mark.members_version as "membersVersion"`;

/** How many lines are unread to members of rooms; people who are no members are left out. */
export const unreadAt = (marks: readonly { roomId: string; userId: string }[]): SQL => sql`
  select m.room_id as "roomId", m.user_id as "userId", room.said - m.read_said as unread
  from unnest(
    ${sql.param(marks.map(({ roomId }) => roomId))}::uuid[], ${sql.param(marks.map(({ userId }) => userId))}::uuid[]
  ) as given (room_id, user_id)
  join chat_members m on m.room_id = given.room_id and m.user_id = given.user_id and m.left_at is null
  join chat_rooms room on room.id = m.room_id`;

export const erasure = {
  chat_members: async (tx, personId) => {
    await tx.execute(sql`
      update chat_rooms set members_version = members_version + 1
      where id in (select room_id from chat_members where user_id = ${personId})`);
    // People who have left a room are still among its members: their rooms lead to what they wrote.
    await tx
      .update(chatMessages)
      .set({ text: '', senderId: null, place: null, pictureId: null })
      .where(and(eq(chatMessages.senderId, personId), sql`${chatMessages.roomId} in ${roomIdsOf(personId)}`));
    await tx.delete(chatMembers).where(eq(chatMembers.userId, personId));
  },
} satisfies Erasure;

/** Removes a person's name, and the words around it, from the system lines of their rooms. */
export async function replaceName(
  tx: Db,
  person: { id: string; name: string },
  replacement: string,
): Promise<void> {
  await tx.execute(sql`
    update chat_messages m set system = jsonb_set(m.system, '{name}', ${JSON.stringify(replacement)}::jsonb) - 'words'
    where m.system ->> 'name' = ${person.name}
      and m.room_id in (select room_id from chat_members where user_id = ${person.id})`);
}
