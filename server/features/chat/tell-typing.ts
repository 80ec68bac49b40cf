import type { ChatContext } from './context.ts';

/** Sends a typing signal to the other members of an open room; nothing where the person is not a member. */
export async function tellTyping(
  { platform, members }: ChatContext,
  roomId: string,
  userId: string,
): Promise<void> {
  const room = await members.recent(roomId);
  if (room?.isOpen !== true || !room.ids.includes(userId)) return;
  const others = room.ids.filter((id) => id !== userId);
  platform.realtime.tell(others, 'typing', { roomid: roomId, userId });
}
