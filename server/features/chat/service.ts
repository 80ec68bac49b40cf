import { createHash, randomUUID } from 'node:crypto';
import type { Message, Room } from '#contract/chat/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../platform/refusal.ts';
import type { SharedPlace, SystemLine } from '../../schema/chat.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { PicturesService } from '../pictures/service.ts';
import { messageOf } from '../orders/bookings/queries.ts';
import { pictureSizesOf } from '../pictures/queries.ts';
import * as store from './store.ts';
import { viewMessage, viewRoom } from './view.ts';

export type ChatService = ReturnType<typeof createChat>;

/** What somebody says: exactly one of text, picture (the id of an upload) and place. */
export interface Said {
  clientId: string;
  text?: string | undefined;
  picture?: string | undefined;
  place?: SharedPlace | undefined;
}

/** What a move of a ride or a booking means for one room. */
export interface RoomMove {
  room: { id: string; rideId: string; bookingId: string | null };
  line: { move: string; name: string };
  /** Who comes in; the room is opened for them. */
  enters?: readonly string[];
  leaves?: string;
  closes?: 'ended' | 'joined' | 'over';
}

const closedWords = {
  ended: ['room.closed', 'The ride has ended, no more messages can be sent.'],
  joined: ['room.joined', 'You ride together now. Please write in the chat of the ride.'],
  over: ['room.over', 'Nothing came of this, so no more messages can be sent.'],
} as const;

/** The rooms of rides and the threads before them: their lines, who is in them, what they have read. */
export function createChat(
  { db, transact, clock, realtime, outbox }: Platform,
  {
    identity,
    pictures,
    geo,
  }: { identity: IdentityService; pictures: PicturesService; geo: Pick<GeoService, 'approximate'> },
) {
  async function viewMessages(rows: readonly store.MessageRow[]): Promise<Message[]> {
    const sizes = await pictureSizesOf(
      db,
      rows.flatMap(({ pictureId }) => pictureId ?? []),
    );
    return Promise.all(
      rows.map(async (row) => {
        const size = row.pictureId === null ? undefined : sizes.get(row.pictureId);
        if (row.pictureId === null || size === undefined) return viewMessage(row, null);
        return viewMessage(row, { url: await pictures.sealedAddress(row.pictureId), ...size });
      }),
    );
  }

  async function viewRooms(rows: readonly store.RoomRow[], viewerId: string): Promise<Room[]> {
    const ids = rows.map((row) => row.id);
    const [members, last, unread] = await Promise.all([
      store.membersOf(db, ids),
      store.lastMessages(db, ids).then((found) => viewMessages(found)),
      store.unreadOf(db, viewerId),
    ]);
    const people = await identity.people([...new Set(members.map((member) => member.userId))]);
    return rows.map((row) =>
      viewRoom(row, {
        viewerId,
        members: members.filter((member) => member.roomId === row.id),
        people,
        lastMessage: last.find((each) => each.roomid === row.id) ?? null,
        unread: unread.get(row.id) ?? 0,
        now: clock.now(),
        approximate: geo.approximate,
      }),
    );
  }

  async function ownRoom(roomId: string, userId: string) {
    const room = await store.roomFor(db, roomId, userId);
    if (room !== null) return room;
    // A person who has joined may write in the same moment, however far behind the queue is that opens rooms.
    const opened = await store.openByRight(db, roomId, userId, clock.now());
    const entered = opened ? await store.roomFor(db, roomId, userId) : null;
    if (entered === null) throw notFound('room.notFound', 'This room could not be found.');
    return entered;
  }

  const memberIds = async (roomId: string): Promise<string[]> =>
    (await store.membersOf(db, [roomId])).map((member) => member.userId);

  /** Why a line could not be added: it is there already, or one may not write here. */
  async function saidBefore(roomId: string, senderId: string, clientId: string): Promise<Message> {
    const room = await ownRoom(roomId, senderId);
    const earlier = await store.earlierLine(db, roomId, clientId);
    if (earlier === null) {
      const [reason, info] = closedWords[room.closedBecause ?? 'ended'];
      throw movedOn(reason, info);
    }
    if (earlier.senderId !== senderId)
      throw refuseField('message.taken', 'clientId', 'This id belongs to another message.');
    const [message] = await viewMessages([earlier]);
    // The process that took the line may have died before it told anybody; who knows it already shows it once.
    realtime.tell(await memberIds(roomId), 'message', message!);
    return message!;
  }

  return {
    erasure: store.erasure,
    /** Takes a person's name out of what their rooms say by themselves, in the caller's transaction. */
    replaceName: store.replaceName,

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
      return {
        messages: await viewMessages(await store.messagesOf(db, roomId, page)),
        total: room.lastSeq,
      };
    },

    async unread(userId: string): Promise<number> {
      return [...(await store.unreadOf(db, userId)).values()].reduce((sum, each) => sum + each, 0);
    },

    /**
     * Says something; the same `clientId` is kept once. Refuses `room.notFound`, and in a closed room `room.closed`,
     * `room.joined` or `room.over`; `upload.gone` for a picture that is not there or not the sender's.
     */
    async send(roomId: string, senderId: string, { clientId, text, picture, place }: Said): Promise<Message> {
      const line = {
        id: randomUUID(),
        roomId,
        clientId,
        senderId,
        kind: picture !== undefined ? 'picture' : place !== undefined ? 'place' : 'text',
        text: text ?? '',
        system: null,
        pictureId: picture ?? null,
        place: place ?? null,
        at: clock.now(),
      } as const;
      try {
        const { pictureId } = line;
        // One statement is a transaction of its own, and `clientId` keeps it from being done twice.
        const add = () =>
          pictureId === null
            ? store.addLine(db, line)
            : transact(async (tx) => {
                const shown = await store.addLine(tx, line);
                const which = {
                  ownerId: senderId,
                  purpose: 'chat',
                  ids: [pictureId],
                  field: 'picture',
                } as const;
                if (shown !== null) await pictures.take(tx, which);
                return shown;
              });
        let added = await add();
        if (added === null && (await store.openByRight(db, roomId, senderId, line.at))) added = await add();
        if (added === null) return await saidBefore(roomId, senderId, clientId);
        const [message] = await viewMessages([{ ...line, seq: added.seq }]);
        realtime.tell(added.memberIds, 'message', message!);
        return message!;
      } catch (error) {
        if (brokenConstraint(error) === 'chat_messages_room_client')
          return saidBefore(roomId, senderId, clientId);
        // The picture was removed between its upload and now; a made-up id is no different.
        if (brokenConstraint(error)?.startsWith('chat_messages_picture_id'))
          throw refuseField(
            'upload.gone',
            'picture',
            'This picture is no longer there. Please choose it again.',
          );
        throw error;
      }
    },

    /** Notes that everything up to a position has been read, and tells the others. */
    async read(roomId: string, userId: string, seq: number): Promise<number> {
      await ownRoom(roomId, userId);
      await transact(async (tx) => {
        if (!(await store.markRead(tx, roomId, userId, seq))) return;
        const members = (await store.membersOf(tx, [roomId])).map((member) => member.userId);
        await outbox.tell(tx, members, { topic: 'room', id: roomId, news: null });
      });
      return (await store.unreadOf(db, userId)).get(roomId) ?? 0;
    },

    /** Tells the others in an open room that somebody is writing; says nothing where that is not their room. */
    async typing(roomId: string, userId: string): Promise<void> {
      const room = await store.roomFor(db, roomId, userId);
      if (room === null || room.closedAt !== null) return;
      const others = (await memberIds(roomId)).filter((id) => id !== userId);
      realtime.tell(others, 'typing', { roomid: roomId, userId });
    },

    isIn: async (roomId: string, userId: string) => (await memberIds(roomId)).includes(userId),

    /** Does what a move means for the rooms it concerns, and writes its line into each. Done once per signal; said again where that is heard again. */
    async noteMove(signal: { id: number; at: Date }, moves: readonly RoomMove[]): Promise<void> {
      const now = signal.at;
      const clientId = idOfSignal(signal.id);
      const lines = await transact(async (tx) => {
        const added: store.MessageRow[] = [];
        for (const { room, line, enters = [], leaves, closes } of moves) {
          if (enters.length > 0) await store.openRoom(tx, room, now);
          for (const userId of enters.toSorted()) await store.letIn(tx, room.id, userId, now);
          const words = asking.includes(line.move) ? await messageOf(tx, room.id) : '';
          const system: SystemLine = words === '' ? line : { ...line, words };
          const row = await store.addSystemLine(tx, {
            id: randomUUID(),
            roomId: room.id,
            clientId,
            system,
            at: now,
          });
          if (row !== null) added.push(row);
          if (leaves !== undefined) await store.letOut(tx, room.id, leaves, now);
          if (closes !== undefined) await store.closeRoom(tx, room.id, closes, now);
        }
        return added;
      });
      for (const message of await viewMessages(lines)) {
        const { leaves } = moves.find(({ room }) => room.id === message.roomid) ?? {};
        const members = await memberIds(message.roomid);
        realtime.tell(members, 'message', message);
        // Who is in it, and whether it is open, may have changed too.
        realtime.tell(leaves === undefined ? members : [...members, leaves], 'changed', {
          topic: 'room',
          id: message.roomid,
          news: null,
        });
      }
    },
  };
}

/** Moves that people write a few words with. */
const asking: readonly string[] = ['ask', 'invite'];

/** The same id for the same signal, so that a line delivered twice is written once. */
function idOfSignal(signalId: number): string {
  const hex = createHash('sha256').update(`signal:${signalId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
