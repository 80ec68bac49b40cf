import type { App } from '../../app-type.ts';
import { writeMarks, type Mark } from './mark-batches.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

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
