import { createHash, randomUUID } from 'node:crypto';
import type { Message, Room } from '#contract/chat/endpoints.ts';
import type { Base } from '../../base/base.ts';
import { movedOn, notFound } from '../../base/refusal.ts';
import type { IdentityService } from '../identity/service.ts';
import * as store from './store.ts';

export type ChatService = ReturnType<typeof createChat>;

const mostPerMinute = 60;

/** The room of each ride: its lines, who is in it, what they have read. */
export function createChat({ db, transact, clock, live, limit }: Base, identity: IdentityService) {
  const viewMessage = (row: store.MessageRow): Message => ({
    id: row.id,
    roomid: row.roomId,
    seq: row.seq,
    clientId: row.clientId,
    senderId: row.senderId,
    kind: row.kind,
    text: row.text,
    system: row.system,
    at: row.at.toISOString(),
  });

  async function viewRooms(
    rows: readonly (store.RoomRow & { readSeq: number })[],
    viewerId: string,
  ): Promise<Room[]> {
    const ids = rows.map((row) => row.id);
    const [members, last, unread] = await Promise.all([
      store.membersOf(db, ids),
      store.lastMessages(db, ids),
      store.unreadOf(db, viewerId),
    ]);
    const people = await identity.people([...new Set(members.map((member) => member.userId))]);
    return rows.map((row): Room => {
      const message = last.find((each) => each.roomId === row.id);
      return {
        roomid: row.id,
        rideId: row.id,
        title: {
          from: row.fromName,
          to: row.toName,
          departsAt: row.departsAt.toISOString(),
          timeZone: row.timeZone,
        },
        members: members
          .filter((member) => member.roomId === row.id)
          .flatMap((member) => {
            const person = people.get(member.userId);
            return person === undefined
              ? []
              : [{ ...person, isDriver: member.userId === row.driverId, readSeq: member.readSeq }];
          }),
        lastMessage: message === undefined ? null : viewMessage(message),
        lastSeq: row.lastSeq,
        unread: unread.get(row.id) ?? 0,
        closed: row.closedAt !== null,
      };
    });
  }

  async function ownRoom(roomId: string, userId: string) {
    const room = await store.roomFor(db, roomId, userId);
    if (room === null) throw notFound('room.notFound', 'This room could not be found.');
    return room;
  }

  async function tellRoom(roomId: string, message: store.MessageRow): Promise<void> {
    const members = await store.membersOf(db, [roomId]);
    live.tell(
      members.map((member) => member.userId),
      'message',
      viewMessage(message),
    );
  }

  return {
    /** My rooms: those with the newest line first. */
    async rooms(userId: string): Promise<Room[]> {
      const rooms = await viewRooms(await store.roomsOf(db, userId), userId);
      const lastAt = (room: Room) => room.lastMessage?.at ?? room.title.departsAt;
      return rooms.toSorted((a, b) => lastAt(b).localeCompare(lastAt(a)));
    },

    async room(roomId: string, userId: string): Promise<Room> {
      return (await viewRooms([await ownRoom(roomId, userId)], userId))[0]!;
    },

    async messages(
      roomId: string,
      userId: string,
      page: { offset: number; size: number; after: number | undefined },
    ): Promise<{ messages: Message[]; total: number }> {
      const room = await ownRoom(roomId, userId);
      return { messages: (await store.messagesOf(db, roomId, page)).map(viewMessage), total: room.lastSeq };
    },

    async unread(userId: string): Promise<number> {
      return [...(await store.unreadOf(db, userId)).values()].reduce((sum, each) => sum + each, 0);
    },

    /** Says something; the same `clientId` is kept once. Refuses `room.closed` after the ride. */
    async send(roomId: string, senderId: string, line: { clientId: string; text: string }): Promise<Message> {
      await limit(`chat:${senderId}`, mostPerMinute, 60);
      await ownRoom(roomId, senderId);
      const result = await transact(async (tx) => {
        const added = await store.addMessage(
          tx,
          {
            id: randomUUID(),
            roomId,
            clientId: line.clientId,
            senderId,
            kind: 'text',
            text: line.text,
            system: null,
            at: clock.now(),
          },
          false,
        );
        if (added === null) throw movedOn('room.closed', 'The ride has ended, no more messages can be sent.');
        await store.markRead(tx, roomId, senderId, added.row.seq);
        return added;
      });
      if (result.added) await tellRoom(roomId, result.row);
      return viewMessage(result.row);
    },

    /** Notes that everything up to a position has been read, and tells the others. */
    async read(roomId: string, userId: string, seq: number): Promise<number> {
      await ownRoom(roomId, userId);
      await transact((tx) => store.markRead(tx, roomId, userId, seq));
      const members = await store.membersOf(db, [roomId]);
      live.tell(
        members.map((member) => member.userId),
        'changed',
        { topic: 'room', id: roomId, news: null },
      );
      return (await store.unreadOf(db, userId)).get(roomId) ?? 0;
    },

    /** Lets those who ride together into the ride's room, or one of them out, and writes the line of the move. Done once per signal. */
    async noteMove(
      signal: { id: number; at: Date },
      ride: { id: string; driverId: string },
      line: { move: string; name: string },
      who: { enters?: string; leaves?: string; closes?: boolean },
    ): Promise<void> {
      const now = signal.at;
      const message = await transact(async (tx) => {
        if (who.enters !== undefined) {
          await store.openRoom(tx, ride.id, now);
          await store.letIn(tx, ride.id, ride.driverId, now);
          await store.letIn(tx, ride.id, who.enters, now);
        }
        const added = await store.addMessage(
          tx,
          {
            id: randomUUID(),
            roomId: ride.id,
            clientId: idOfSignal(signal.id),
            senderId: null,
            kind: 'system',
            text: '',
            system: line,
            at: now,
          },
          true,
        );
        if (who.leaves !== undefined) await store.letOut(tx, ride.id, who.leaves, now);
        if (who.closes === true) await store.closeRoom(tx, ride.id, now);
        return added;
      });
      if (message?.added !== true) return;
      await tellRoom(ride.id, message.row);
      if (who.leaves !== undefined)
        live.tell([who.leaves], 'changed', { topic: 'room', id: ride.id, news: null });
    },
  };
}

/** The same id for the same signal, so that a line delivered twice is written once. */
function idOfSignal(signalId: number): string {
  const hex = createHash('sha256').update(`signal:${signalId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
