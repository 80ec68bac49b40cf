import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { chatMembers, chatMessages, chatRooms } from '../../tables/chat.ts';
import { rides } from '../../tables/rides.ts';

export type MessageRow = typeof chatMessages.$inferSelect;
export type MemberRow = typeof chatMembers.$inferSelect;

/** A room with the ride it belongs to. */
export interface RoomRow {
  id: string;
  lastSeq: number;
  closedAt: Date | null;
  driverId: string;
  fromName: string;
  toName: string;
  departsAt: Date;
  timeZone: string;
}

const roomColumns = {
  id: chatRooms.id,
  lastSeq: chatRooms.lastSeq,
  closedAt: chatRooms.closedAt,
  driverId: rides.driverId,
  fromName: rides.fromName,
  toName: rides.toName,
  departsAt: rides.departsAt,
  timeZone: rides.timeZone,
};

export async function openRoom(tx: Db, rideId: string, now: Date): Promise<void> {
  await tx.insert(chatRooms).values({ id: rideId, createdAt: now }).onConflictDoNothing();
}

export async function closeRoom(tx: Db, rideId: string, now: Date): Promise<void> {
  await tx
    .update(chatRooms)
    .set({ closedAt: now })
    .where(and(eq(chatRooms.id, rideId), isNull(chatRooms.closedAt)));
}

/** Lets a person in, again if they had left. */
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
 * Adds a line at the end of a room, once per `clientId`: the second time the first line comes back.
 * Null when the room is closed (`evenClosed` writes system lines all the same).
 */
export async function addMessage(
  tx: Db,
  message: Omit<MessageRow, 'seq'>,
  evenClosed: boolean,
): Promise<{ row: MessageRow; added: boolean } | null> {
  // The row lock on the room makes lines wait for each other: positions have no gaps and no doubles.
  const [room] = await tx.select().from(chatRooms).where(eq(chatRooms.id, message.roomId)).for('update');
  if (room === undefined) return null;
  const same = and(eq(chatMessages.roomId, message.roomId), eq(chatMessages.clientId, message.clientId));
  const [earlier] = await tx.select().from(chatMessages).where(same);
  if (earlier !== undefined)
    return earlier.senderId === message.senderId ? { row: earlier, added: false } : null;
  if (room.closedAt !== null && !evenClosed) return null;
  const seq = room.lastSeq + 1;
  await tx.update(chatRooms).set({ lastSeq: seq }).where(eq(chatRooms.id, room.id));
  const [row] = await tx
    .insert(chatMessages)
    .values({ ...message, seq })
    .returning();
  return { row: row!, added: true };
}

export async function roomsOf(db: Db, userId: string): Promise<(RoomRow & { readSeq: number })[]> {
  return db
    .select({ ...roomColumns, readSeq: chatMembers.readSeq })
    .from(chatMembers)
    .innerJoin(chatRooms, eq(chatRooms.id, chatMembers.roomId))
    .innerJoin(rides, eq(rides.id, chatRooms.id))
    .where(and(eq(chatMembers.userId, userId), isNull(chatMembers.leftAt)))
    .orderBy(desc(rides.departsAt))
    .limit(200);
}

/** A room that the person is in; null otherwise. */
export async function roomFor(
  db: Db,
  roomId: string,
  userId: string,
): Promise<(RoomRow & { readSeq: number }) | null> {
  const rows = await db
    .select({ ...roomColumns, readSeq: chatMembers.readSeq })
    .from(chatMembers)
    .innerJoin(chatRooms, eq(chatRooms.id, chatMembers.roomId))
    .innerJoin(rides, eq(rides.id, chatRooms.id))
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

export async function lastMessages(db: Db, roomIds: readonly string[]): Promise<MessageRow[]> {
  if (roomIds.length === 0) return [];
  return db
    .selectDistinctOn([chatMessages.roomId])
    .from(chatMessages)
    .where(inArray(chatMessages.roomId, [...roomIds]))
    .orderBy(chatMessages.roomId, desc(chatMessages.seq));
}

/** Newest first from `offset`, or what came after a position, oldest first. */
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

/** Moves the read mark forward, never back. */
export async function markRead(tx: Db, roomId: string, userId: string, seq: number): Promise<void> {
  await tx
    .update(chatMembers)
    .set({
      readSeq: sql`greatest(${chatMembers.readSeq}, least(${seq}, (select last_seq from chat_rooms where id = ${roomId})))`,
    })
    .where(and(eq(chatMembers.roomId, roomId), eq(chatMembers.userId, userId)));
}
