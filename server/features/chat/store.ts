import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import type { Erasure } from '../../platform/erasure.ts';
import {
  chatMembers,
  chatMessages,
  chatRooms,
  type SharedPlace,
  type SystemLine,
} from '../../schema/chat.ts';
import { isActive } from '../identity/queries.ts';
import { placesOf } from '../orders/bookings/queries.ts';
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
  from: SharedPlace;
  to: SharedPlace;
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

/** Opens a ride's room (`bookingId` null), or the thread of a booking. */
export async function openRoom(
  tx: Db,
  room: { id: string; rideId: string; bookingId: string | null },
  now: Date,
): Promise<void> {
  await tx
    .insert(chatRooms)
    .values({ ...room, createdAt: now })
    .onConflictDoNothing();
}

export async function closeRoom(
  tx: Db,
  roomId: string,
  because: 'ended' | 'joined' | 'over',
  now: Date,
): Promise<void> {
  await tx
    .update(chatRooms)
    .set({ closedAt: now, closedBecause: because })
    .where(and(eq(chatRooms.id, roomId), isNull(chatRooms.closedAt)));
}

/**
 * Opens a room and adds those who belong to it by the current bookings: the driver and all who have joined a
 * ride, or the two of an open ask. The signal that writes the line may still wait in its queue.
 * @returns whether the person is one of them.
 */
export async function openByRight(db: Db, roomId: string, userId: string, now: Date): Promise<boolean> {
  const opened = await db.execute<{ user_id: string }>(sql`
    with place as (${placesOf(roomId)}), who as (
      select driver_id as user_id from place union select passenger_id from place
    ), room as (
      insert into chat_rooms (id, ride_id, booking_id, created_at)
      select distinct ${roomId}::uuid, ride_id, booking_id, ${now.toISOString()}::timestamptz from place
      where exists (select from who where user_id = ${userId})
      on conflict do nothing
      returning id
    ), opened as (
      -- Reading it runs the insert first: the room before its members, as every other writer takes them, so that none waits in a circle.
      select count(*) from room
    )
    insert into chat_members (room_id, user_id, joined_at)
    select ${roomId}::uuid, user_id, ${now.toISOString()}::timestamptz from who, opened
    where exists (select from who where user_id = ${userId})
    order by user_id
    on conflict (room_id, user_id) do update set left_at = null
    returning user_id`);
  return opened.rows.some((row) => row.user_id === userId);
}

/** Adds a person to a room, also one who had left. */
export async function letIn(tx: Db, roomId: string, userId: string, now: Date): Promise<void> {
  await tx
    .insert(chatMembers)
    .values({ roomId, userId, joinedAt: now })
    .onConflictDoUpdate({ target: [chatMembers.roomId, chatMembers.userId], set: { leftAt: null } });
}

export async function letOut(tx: Db, roomId: string, userId: string, now: Date): Promise<void> {
  await tx
    .update(chatMembers)
    .set({ leftAt: now })
    .where(and(eq(chatMembers.roomId, roomId), eq(chatMembers.userId, userId)));
}

/**
 * Adds a system line at the end of a room, even of a closed one, or returns the one written before; null when
 * there is no such room.
 */
export async function addSystemLine(
  tx: Db,
  line: { id: string; roomId: string; clientId: string; system: SystemLine; at: Date },
): Promise<MessageRow | null> {
  // The row lock on the room makes lines wait for each other: positions have no gaps and no duplicates.
  const [room] = await tx.select().from(chatRooms).where(eq(chatRooms.id, line.roomId)).for('update');
  if (room === undefined) return null;
  // Written before, by a process that may have died before it notified the members: they get it again, and
  // pages show it once by its position.
  const earlier = await earlierLine(tx, line.roomId, line.clientId);
  if (earlier !== null) return earlier;
  const seq = room.lastSeq + 1;
  await tx.update(chatRooms).set({ lastSeq: seq }).where(eq(chatRooms.id, room.id));
  const [row] = await tx
    .insert(chatMessages)
    .values({ ...line, seq, senderId: null, kind: 'system' })
    .returning();
  return row ?? null;
}

/**
 * Adds a member's message at the end of an open room, in one statement: the update of the room makes lines
 * wait for each other. Null when the person is no member or is suspended, the room is closed, or the line
 * exists already; two at the same moment violate `chat_messages_room_client`.
 */
export async function addLine(
  tx: Db,
  line: Pick<MessageRow, 'id' | 'roomId' | 'clientId' | 'kind' | 'text' | 'pictureId' | 'place' | 'at'> & {
    senderId: string;
  },
): Promise<{ seq: number; memberIds: string[] } | null> {
  const { id, roomId, clientId, senderId, kind, text, pictureId, place, at } = line;
  const found = await tx.execute<{ seq: number; members: string[] }>(sql`
    with room as (
      update chat_rooms r set last_seq = last_seq + 1
      where r.id = ${roomId} and r.closed_at is null and ${isActive(sql`${senderId}::uuid`)}
        and exists (select 1 from chat_members m where m.room_id = r.id and m.user_id = ${senderId} and m.left_at is null)
        and not exists (select 1 from chat_messages c where c.room_id = r.id and c.client_id = ${clientId})
      returning r.id, r.last_seq
    ), line as (
      insert into chat_messages (id, room_id, seq, client_id, sender_id, kind, text, picture_id, place, at)
      select ${id}::uuid, room.id, room.last_seq, ${clientId}::uuid, ${senderId}::uuid, ${kind}, ${text}, ${pictureId}::uuid,
        ${place === null ? null : JSON.stringify(place)}::jsonb, ${at.toISOString()}::timestamptz from room
    ), mark as (
      update chat_members m set read_seq = greatest(m.read_seq, room.last_seq) from room
      where m.room_id = room.id and m.user_id = ${senderId}
    )
    select room.last_seq as seq, (
      select array_agg(m.user_id) from chat_members m where m.room_id = room.id and m.left_at is null
    ) as members from room`);
  const [row] = found.rows;
  return row === undefined ? null : { seq: row.seq, memberIds: row.members };
}

export async function earlierLine(db: Db, roomId: string, clientId: string): Promise<MessageRow | null> {
  const [row] = await db
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.roomId, roomId), eq(chatMessages.clientId, clientId)));
  return row ?? null;
}

export async function roomsOf(db: Db, userId: string): Promise<(RoomRow & { readSeq: number })[]> {
  const ride = rideOutlines(db);
  return db
    .select({ ...roomColumns(ride), readSeq: chatMembers.readSeq })
    .from(chatMembers)
    .innerJoin(chatRooms, eq(chatRooms.id, chatMembers.roomId))
    .innerJoin(ride, eq(ride.id, chatRooms.rideId))
    .where(
      and(
        eq(chatMembers.userId, userId),
        isNull(chatMembers.leftAt),
        // Leaves out a thread without a message once its two people ride together.
        or(
          sql`${chatRooms.closedBecause} is distinct from 'joined'`,
          sql`exists (select 1 from chat_messages c where c.room_id = ${chatRooms.id} and c.kind <> 'system')`,
        ),
      ),
    )
    .orderBy(desc(ride.departsAt))
    .limit(200);
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

/** Unread lines of others in each room that the person is in. */
export async function unreadOf(db: Db, userId: string): Promise<Map<string, number>> {
  const found = await db.execute<{ room_id: string; unread: string }>(sql`
    select m.room_id, count(*) as unread from chat_members m
    join chat_messages c on c.room_id = m.room_id and c.seq > m.read_seq and c.sender_id is distinct from m.user_id and c.kind <> 'system'
    where m.user_id = ${userId} and m.left_at is null group by m.room_id`);
  return new Map(found.rows.map((row) => [row.room_id, Number(row.unread)]));
}

/** Moves the read mark forward, never back; false when it did not move. */
export async function markRead(tx: Db, roomId: string, userId: string, seq: number): Promise<boolean> {
  const moved = await tx
    .update(chatMembers)
    .set({ readSeq: sql`least(${seq}, (select last_seq from chat_rooms where id = ${roomId}))` })
    .where(and(eq(chatMembers.roomId, roomId), eq(chatMembers.userId, userId), lt(chatMembers.readSeq, seq)))
    .returning({ userId: chatMembers.userId });
  return moved.length > 0;
}

export const erasure = {
  chat_members: (tx, personId) => tx.delete(chatMembers).where(eq(chatMembers.userId, personId)),
  chat_messages: (tx, personId) =>
    tx
      .update(chatMessages)
      .set({ text: '', senderId: null, place: null, pictureId: null })
      .where(eq(chatMessages.senderId, personId)),
} satisfies Erasure;

/** Removes a person's name, and the words beside it, from the system lines of their rooms. */
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
