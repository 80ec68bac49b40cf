import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { chatMembers, chatMessages, chatRooms } from '../../schema/chat.ts';
import { isActive } from '../identity/queries.ts';

/** When a person first wrote in a ride's room since an instant; null where they have not. */
export async function wroteAt(
  db: Db,
  { rideId, personId, since }: { rideId: string; personId: string; since: Date },
): Promise<Date | null> {
  const [row] = await db
    .select({ at: chatMessages.at })
    .from(chatMessages)
    // The ride's room has the ride's id.
    .where(
      and(eq(chatMessages.roomId, rideId), eq(chatMessages.senderId, personId), gte(chatMessages.at, since)),
    )
    .limit(1);
  return row?.at ?? null;
}

/** The rooms that a person is or was in, as a subquery. */
export const roomIdsOf = (personId: string): SQL =>
  sql`(select m.room_id from chat_members m where m.user_id = ${personId})`;

/** How much these people have written in a ride's room, and when; null where the ride has no room. */
export async function writtenInRide(
  db: Db,
  rideId: string,
  personIds: readonly string[],
): Promise<{ roomId: string; messages: number; firstAt: Date | null; lastAt: Date | null } | null> {
  const [row] = await db
    .select({
      roomId: chatRooms.id,
      messages: sql<number>`count(${chatMessages.seq})::int`,
      firstAt: sql<string | null>`min(${chatMessages.at})`,
      lastAt: sql<string | null>`max(${chatMessages.at})`,
    })
    .from(chatRooms)
    .leftJoin(
      chatMessages,
      and(eq(chatMessages.roomId, chatRooms.id), inArray(chatMessages.senderId, [...personIds])),
    )
    .where(and(eq(chatRooms.rideId, rideId), isNull(chatRooms.bookingId)))
    .groupBy(chatRooms.id);
  const instant = (at: string | null) => (at === null ? null : new Date(at));
  return row === undefined ? null : { ...row, firstAt: instant(row.firstAt), lastAt: instant(row.lastAt) };
}

/** When a person first wrote a message in a time span, which begins after `from`; null for none. */
export async function firstWrittenAt(db: Db, from: Date, until: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: chatMessages.at })
    .from(chatMessages)
    .where(and(gt(chatMessages.at, from), lte(chatMessages.at, until), isNotNull(chatMessages.senderId)))
    .orderBy(asc(chatMessages.at))
    .limit(1);
  return row?.at ?? null;
}

/**
 * For each person with unread messages of which some were written in a time span: how many, and who wrote the
 * last.
 */
export function unreadMessages(db: Db, from: Date, until: Date) {
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
  return db
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
}

/**
 * The last read position of each member in each room: rows of user, room and position, as a statement to
 * join.
 */
export const readMarks: SQL = sql`select user_id, room_id, read_seq from chat_members`;
