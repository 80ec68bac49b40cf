import type { ChatContext } from './context.ts';
import { writeMarks, type Mark } from './mark-batches.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

/**
 * Records that a member has read everything up to a position, and tells the room. Refuses `room.notFound`.
 * @returns how many lines remain unread.
 */
export async function markRead(context: ChatContext, mark: Mark): Promise<number> {
  const [unread] = await writeMarks(context, [mark]);
  return unread ?? unreadIn(context, mark);
}

/** The same, together with what others read within half a second. */
export async function markReadSoon(context: ChatContext, mark: Mark): Promise<number> {
  return (await context.marks.add(mark)) ?? unreadIn(context, mark);
}

/** What is unread in a room of the person, where a mark has not moved. Refuses `room.notFound`. */
async function unreadIn(context: ChatContext, { roomId, userId }: Mark): Promise<number> {
  await ownRoom(context, roomId, userId);
  return (await store.unreadOf(context.platform.db, userId)).get(roomId) ?? 0;
}

/** How many unread lines a person has: in all rooms, and in each that has any. */
export async function countUnread(
  { platform }: ChatContext,
  userId: string,
): Promise<{ unread: number; rooms: Record<string, number> }> {
  const rooms = await store.unreadOf(platform.db, userId);
  return {
    unread: [...rooms.values()].reduce((sum, each) => sum + each, 0),
    rooms: Object.fromEntries(rooms),
  };
}
