import type { Message, Room } from '#contract/chat/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { isExact } from './policy.ts';
import type { MemberRow, MessageRow, RoomRow } from './store.ts';

/** @param picture the message's picture, if it has one that still exists. */
export const viewMessage = (row: MessageRow, picture: Message['picture']): Message => ({
  // A room's position is the line's only name.
  id: `${row.roomId}:${row.seq}`,
  roomid: row.roomId,
  seq: row.seq,
  clientId: row.clientId,
  senderId: row.senderId,
  kind: row.kind,
  text: row.text,
  picture,
  place: row.place ?? null,
  system: row.system,
  at: row.at.toISOString(),
});

/** A room as one of its members sees it. */
export function viewRoom(
  row: RoomRow,
  of: {
    viewerId: string;
    members: readonly MemberRow[];
    people: ReadonlyMap<string, Person>;
    lastMessage: Message | null;
    unread: number;
    now: Date;
    approximate(place: RoomRow['from']): { name: string };
  },
): Room {
  const shown = (place: RoomRow['from']) =>
    isExact(row, of.viewerId, of.now) ? place.name : of.approximate(place).name;
  return {
    roomid: row.id,
    rideId: row.rideId,
    bookingId: row.bookingId,
    title: {
      from: shown(row.from),
      to: shown(row.to),
      departsAt: row.departsAt.toISOString(),
      timeZone: row.timeZone,
    },
    members: of.members.flatMap((member) => {
      const person = of.people.get(member.userId);
      return person === undefined
        ? []
        : [{ ...person, isDriver: member.userId === row.driverId, readSeq: member.readSeq }];
    }),
    lastMessage: of.lastMessage,
    lastSeq: row.lastSeq,
    unread: of.unread,
    closed: row.closedAt !== null,
    closedBecause: row.closedAt === null ? null : (row.closedBecause ?? 'ended'),
  };
}
