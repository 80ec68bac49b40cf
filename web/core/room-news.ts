import { roomDetail, roomList, unreadCount, type Message, type Room } from '#contract/chat/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { RealtimeFromServer } from '#contract/realtime.ts';
import { keyOf } from './queries.ts';
import { invalidate, queryClient } from './query-client.ts';

/*
 * What is said and read in rooms arrives as data, and is written into what has been read of them: neither a
 * message nor a read mark makes the app ask again.
 */

export type ReadMark = Parameters<RealtimeFromServer['read']>[0];

const listKey = keyOf(roomList, {});
const countKey = keyOf(unreadCount, {});

/** The last position of each room that has been counted: a message may arrive twice. */
const counted = new Map<string, number>();

/**
 * Changes one room in every cache entry that has it. @returns whether the list of rooms, where there is one,
 * has it.
 */
function changeRoom(roomid: string, change: (room: Room) => Room): boolean {
  const list = queryClient.getQueryData<OutputOf<typeof roomList>>(listKey);
  const has = list?.rooms.some((room) => room.roomid === roomid) ?? true;
  if (list !== undefined && has) {
    const rooms = list.rooms.map((room) => (room.roomid === roomid ? change(room) : room));
    queryClient.setQueryData(listKey, {
      rooms: rooms.toSorted((a, b) => lastAt(b).localeCompare(lastAt(a))),
    });
  }
  queryClient.setQueryData<Room>(keyOf(roomDetail, { roomid }), (room) => room && change(room));
  return has;
}

const lastAt = ({ lastMessage, title }: Room): string => lastMessage?.at ?? title.departsAt;

function changeUnread(roomid: string, change: (unread: number) => number): void {
  queryClient.setQueryData<OutputOf<typeof unreadCount>>(countKey, (held) => {
    if (held === undefined) return held;
    const rooms = { ...held.rooms, [roomid]: change(held.rooms[roomid] ?? 0) };
    return { rooms, unread: Object.values(rooms).reduce((sum, each) => sum + each, 0) };
  });
}

/** A read that is under way may have been answered before the message: it is made once more. */
const readAgainWhatIsUnderWay = () => {
  for (const key of [listKey, countKey])
    if (queryClient.isFetching({ queryKey: key }) > 0) void invalidate(key[0]);
};

/** @param ownId the person who has the app open. */
export function takeMessage(message: Message, ownId: string): void {
  const { roomid, seq, senderId, kind } = message;
  const isNew = seq > (counted.get(roomid) ?? 0);
  if (isNew) counted.set(roomid, seq);
  const isUnread = isNew && senderId !== ownId && kind !== 'system';
  const isListed = changeRoom(roomid, (room) =>
    seq <= room.lastSeq
      ? room
      : { ...room, lastMessage: message, lastSeq: seq, unread: room.unread + (isUnread ? 1 : 0) },
  );
  if (isUnread) changeUnread(roomid, (unread) => unread + 1);
  if (!isListed) void invalidate(roomList.path);
  readAgainWhatIsUnderWay();
}

/** @param ownId the person who has the app open. */
export function takeRead({ roomid, userId, seq, unread }: ReadMark, ownId: string): void {
  changeRoom(roomid, (room) => ({
    ...room,
    members: room.members.map((member) =>
      member.id === userId ? { ...member, readSeq: Math.max(member.readSeq, seq) } : member,
    ),
    ...(userId === ownId ? { unread } : {}),
  }));
  if (userId === ownId) changeUnread(roomid, () => unread);
  readAgainWhatIsUnderWay();
}
