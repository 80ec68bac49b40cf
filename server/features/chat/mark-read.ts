import type { ChatContext } from './context.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

/**
 * Notes that everything up to a position has been read, and tells the others.
 * @returns how many lines are left unread.
 */
export async function markRead(
  context: ChatContext,
  roomId: string,
  userId: string,
  seq: number,
): Promise<number> {
  const { db, transact, outbox } = context.platform;
  await ownRoom(context, roomId, userId);
  await transact(async (tx) => {
    if (!(await store.markRead(tx, roomId, userId, seq))) return;
    const members = (await store.membersOf(tx, [roomId])).map((member) => member.userId);
    await outbox.tell(tx, members, { topic: 'room', id: roomId, news: null });
  });
  return (await store.unreadOf(db, userId)).get(roomId) ?? 0;
}

/** How many lines of all rooms a person has not read. */
export async function countUnread({ platform }: ChatContext, userId: string): Promise<number> {
  return [...(await store.unreadOf(platform.db, userId)).values()].reduce((sum, each) => sum + each, 0);
}
