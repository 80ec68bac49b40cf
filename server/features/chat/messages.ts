import type { Message } from '#contract/chat/endpoints.ts';
import type { App } from '../../app-type.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';
import { viewMessages } from './view-messages.ts';

/** A page of a room's messages, with the position of the last one. Refuses `room.notFound`. */
export async function listMessages(
  app: App,
  roomId: string,
  userId: string,
  page: { offset: number; size: number; after: number | undefined },
): Promise<{ messages: Message[]; total: number }> {
  const room = await ownRoom(app, roomId, userId);
  return {
    messages: await viewMessages(app, await store.messagesOf(app.db, roomId, page)),
    total: room.lastSeq,
  };
}
