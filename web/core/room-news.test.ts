import { beforeEach, expect, test, vi } from 'vitest';
import { roomDetail, roomList, unreadCount, type Message, type Room } from '#contract/chat/endpoints.ts';

// What calls need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const { queryClient } = await import('./query-client.ts');
const { keyOf } = await import('./queries.ts');
const { takeMessage, takeRead } = await import('./room-news.ts');

const room = (roomid: string): Room =>
  ({
    roomid,
    title: { departsAt: '2026-11-20T18:00:00.000Z' },
    members: [
      { id: 'mia', readSeq: 3 },
      { id: 'leo', readSeq: 3 },
    ],
    lastMessage: null,
    lastSeq: 3,
    unread: 0,
  }) as unknown as Room;
const message = (roomid: string, seq: number, said: Partial<Message> = {}): Message =>
  ({
    roomid,
    seq,
    senderId: 'leo',
    kind: 'text',
    at: `2026-11-21T18:00:0${seq}.000Z`,
    ...said,
  }) as Message;

const list = () => queryClient.getQueryData<{ rooms: Room[] }>(keyOf(roomList, {}))!.rooms;
const unread = () => queryClient.getQueryData(keyOf(unreadCount, {}));

let rooms: [string, string];
beforeEach(() => {
  rooms = [crypto.randomUUID(), crypto.randomUUID()];
  queryClient.clear();
  queryClient.setQueryData(keyOf(roomList, {}), { rooms: rooms.map(room) });
  queryClient.setQueryData(keyOf(roomDetail, { roomid: rooms[1] }), room(rooms[1]));
  queryClient.setQueryData(keyOf(unreadCount, {}), { unread: 0, rooms: {} });
});

test('a message counts once, moves its room to the top, and is shown there', () => {
  const [first, second] = rooms;
  for (const seq of [4, 5, 5, 4]) takeMessage(message(second, seq), 'mia');
  expect(list().map(({ roomid, lastSeq, unread: left }) => [roomid, lastSeq, left])).toEqual([
    [second, 5, 2],
    [first, 3, 0],
  ]);
  expect(list()[0]!.lastMessage).toMatchObject({ seq: 5 });
  expect(unread()).toEqual({ unread: 2, rooms: { [second]: 2 } });
});

test('own messages and system lines are not unread', () => {
  takeMessage(message(rooms[0], 4, { senderId: 'mia' }), 'mia');
  takeMessage(message(rooms[0], 5, { senderId: null, kind: 'system' }), 'mia');
  expect(unread()).toEqual({ unread: 0, rooms: {} });
  expect(list().find(({ roomid }) => roomid === rooms[0])).toMatchObject({ lastSeq: 5, unread: 0 });
});

test('a read mark shows how far another has read; an own one, from whichever device, ends what is unread', () => {
  const [, second] = rooms;
  for (const seq of [4, 5]) takeMessage(message(second, seq), 'mia');
  takeRead({ roomid: second, userId: 'leo', seq: 5, unread: 0 }, 'mia');
  const members = () =>
    queryClient
      .getQueryData<Room>(keyOf(roomDetail, { roomid: second }))!
      .members.map(({ readSeq }) => readSeq);
  expect(members()).toEqual([3, 5]);
  expect(unread()).toMatchObject({ unread: 2 });
  takeRead({ roomid: second, userId: 'mia', seq: 4, unread: 1 }, 'mia');
  expect(members()).toEqual([4, 5]);
  expect(unread()).toMatchObject({ unread: 1, rooms: { [second]: 1 } });
  expect(list().find(({ roomid }) => roomid === second)).toMatchObject({ unread: 1 });
});

test('a message of a room that the list does not have makes the list read again', () => {
  takeMessage(message('new', 1), 'mia');
  expect(queryClient.getQueryState(keyOf(roomList, {}))?.isInvalidated).toBe(true);
  expect(unread()).toMatchObject({ unread: 1 });
});
