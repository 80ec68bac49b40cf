import type { ChatContext } from './context.ts';
import { memberIds } from './rooms.ts';
import * as store from './store.ts';

/** Sends a typing signal to the other members of an open room; nothing where the person is not a member. */
export async function tellTyping(context: ChatContext, roomId: string, userId: string): Promise<void> {
  const { db, realtime } = context.platform;
  const room = await store.roomFor(db, roomId, userId);
  if (room === null || room.closedAt !== null) return;
  const others = (await memberIds(context, roomId)).filter((id) => id !== userId);
  realtime.tell(others, 'typing', { roomid: roomId, userId });
}
