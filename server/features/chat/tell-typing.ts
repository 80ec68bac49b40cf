import type { App } from '../../app-type.ts';

/** Sends a typing signal to the other members of an open room; nothing where the person is not a member. */
export async function tellTyping(app: App, roomId: string, userId: string): Promise<void> {
  const room = await app.chat.members.recent(roomId);
  if (room?.isOpen !== true || !room.ids.includes(userId)) return;
  const others = room.ids.filter((id) => id !== userId);
  app.realtime.tell(others, 'typing', { roomid: roomId, userId });
}
