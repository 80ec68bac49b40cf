import type { ChatContext } from './context.ts';
import { memberIds } from './rooms.ts';
import * as store from './store.ts';

/** Tells the others in an open room that a person is writing; says nothing where that is not their room. */
export async function tellTyping(context: ChatContext, roomId: string, userId: string): Promise<void> {
  const { db, realtime } = context.platform;
  const room = await store.roomFor(db, roomId, userId);
  if (room === null || room.closedAt !== null) return;
  const others = (await memberIds(context, roomId)).filter((id) => id !== userId);
  realtime.tell(others, 'typing', { roomid: roomId, userId });
}
