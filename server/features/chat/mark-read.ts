import type { ChatContext } from './context.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

/**
 * Records that a member has read everything up to a position, and publishes it to the other members.
 * @returns how many lines remain unread.
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

/** How many unread lines a person has in all rooms. */
export async function countUnread({ platform }: ChatContext, userId: string): Promise<number> {
  return [...(await store.unreadOf(platform.db, userId)).values()].reduce((sum, each) => sum + each, 0);
}
