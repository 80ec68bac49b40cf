import type { Room, Message } from '#contract/chat/endpoints.ts';
import type { App } from '../../app-type.ts';
import { notFound } from '../../platform/refusal.ts';
import { approximatePlace } from '../geo/service.ts';
import { peopleByIds } from '../identity/service.ts';
import { pictureSizesOf } from '../pictures/queries.ts';
import { signedAddress } from '../pictures/service.ts';
import { writeMarks, type Mark } from './mark-batches.ts';
import * as store from './store.ts';
import { viewRoom, viewMessage } from './view.ts';

/** A person's rooms, the newest line first. */
export async function listRooms(app: App, userId: string): Promise<Room[]> {
  const rooms = await viewRooms(app, await store.roomsOf(app.db, userId), userId);
  const lastAt = (room: Room) => room.lastMessage?.at ?? room.title.departsAt;
  return rooms.toSorted((a, b) => lastAt(b).localeCompare(lastAt(a)));
}

/** One room of a person. Refuses `room.notFound`. */
export async function readRoom(app: App, roomId: string, userId: string): Promise<Room> {
  return (await viewRooms(app, [await ownRoom(app, roomId, userId)], userId))[0]!;
}

/** The row of a room that a person is in, or may enter now. Refuses `room.notFound`. */
export async function ownRoom({ db, clock }: App, roomId: string, userId: string): Promise<store.RoomRow> {
  const room = await store.roomFor(db, roomId, userId);
  if (room !== null) return room;
  // A person who has joined may write at once, even while the queue that opens rooms lags behind.
  const opened = await store.openByRight(db, roomId, userId, clock.now());
  const entered = opened ? await store.roomFor(db, roomId, userId) : null;
  if (entered === null) throw notFound('room.notFound', 'We couldn’t find this chat.');
  return entered;
}

export const memberIds = async (app: App, roomId: string): Promise<string[]> =>
  (await store.membersOf(app.db, [roomId])).map((member) => member.userId);

async function viewRooms(app: App, rows: readonly store.RoomRow[], viewerId: string): Promise<Room[]> {
  const { db, clock } = app;
  const ids = rows.map((row) => row.id);
  const [members, last, unread] = await Promise.all([
    store.membersOf(db, ids),
    store.lastMessages(db, ids).then((found) => viewMessages(app, found)),
    store.unreadOf(db, viewerId),
  ]);
  const people = await peopleByIds(app, [...new Set(members.map((member) => member.userId))]);
  return rows.map((row) =>
    viewRoom(row, {
      viewerId,
      members: members.filter((member) => member.roomId === row.id),
      people,
      lastMessage: last.find((each) => each.roomid === row.id) ?? null,
      unread: unread.get(row.id) ?? 0,
      now: clock.now(),
      approximate: (place) => approximatePlace(app, place),
    }),
  );
}

/** A page of a room's messages, with the position of the last one. Refuses `room.notFound`. */
export async function listMessages(
  app: App,
  roomId: string,
  userId: string,
  page: { offset: number; size: number; after: number | undefined },
): Promise<{ messages: Message[]; total: number }> {
  const room = await ownRoom(app, roomId, userId);
  return {
    messages: await viewMessages(app, await store.messagesOf(app.db, roomId, page)),
    total: room.lastSeq,
  };
}

/** Messages with the addresses of their pictures, in the given order. */
export async function viewMessages(app: App, rows: readonly store.MessageRow[]): Promise<Message[]> {
  const sizes = await pictureSizesOf(
    app.db,
    rows.flatMap(({ pictureId }) => pictureId ?? []),
  );
  return Promise.all(
    rows.map(async (row) => {
      const size = row.pictureId === null ? undefined : sizes.get(row.pictureId);
      if (row.pictureId === null || size === undefined) return viewMessage(row, null);
      return viewMessage(row, { url: await signedAddress(app, row.pictureId), ...size });
    }),
  );
}

/**
 * Records that a member has read everything up to a position, and tells the room. Refuses `room.notFound`.
 * @returns how many lines remain unread.
 */
export async function markRead(app: App, mark: Mark): Promise<number> {
  const write = () => writeMarks(app, app.chat.members, [mark]);
  return unreadOrRefusal(app, mark, (await write())[0], write);
}

/** The same, together with what others read within half a second. */
export async function markReadSoon(app: App, mark: Mark): Promise<number> {
  const { chat } = app;
  return unreadOrRefusal(app, mark, await chat.marks.add(mark), () => writeMarks(app, chat.members, [mark]));
}

/** The number left unread; a person who may enter the room enters it first. */
async function unreadOrRefusal(
  app: App,
  { roomId, userId }: Mark,
  unread: number | null | undefined,
  again: () => Promise<(number | null)[]>,
): Promise<number> {
  if (typeof unread === 'number') return unread;
  await ownRoom(app, roomId, userId);
  return (await again())[0] ?? 0;
}

/** Counts a person's unread messages, in total and by room. */
export async function countUnread(
  app: App,
  userId: string,
): Promise<{ unread: number; rooms: Record<string, number> }> {
  const rooms = await store.unreadOf(app.db, userId);
  return {
    unread: [...rooms.values()].reduce((sum, each) => sum + each, 0),
    rooms: Object.fromEntries(rooms),
  };
}
