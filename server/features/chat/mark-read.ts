import type { ChatContext } from './context.ts';
import { writeMarks, type Mark } from './mark-batches.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

/**
 * Records that a member has read everything up to a position, and tells the room. Refuses `room.notFound`.
 * @returns how many lines remain unread.
 */
export async function markRead(context: ChatContext, mark: Mark): Promise<number> {
  const write = () => writeMarks(context, [mark]);
  return unreadOrRefusal(context, mark, (await write())[0], write);
}

/** The same, together with what others read within half a second. */
export async function markReadSoon(context: ChatContext, mark: Mark): Promise<number> {
  return unreadOrRefusal(context, mark, await context.marks.add(mark), () => writeMarks(context, [mark]));
}

/** What is left unread; a person who may enter the room enters it first. */
async function unreadOrRefusal(
  context: ChatContext,
  { roomId, userId }: Mark,
  unread: number | null | undefined,
  again: () => Promise<(number | null)[]>,
): Promise<number> {
  if (typeof unread === 'number') return unread;
  await ownRoom(context, roomId, userId);
  return (await again())[0] ?? 0;
}

/** Counts a person's unread messages, in total and by room. */
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
