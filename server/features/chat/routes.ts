import {
  markRead,
  msgList,
  roomDetail,
  roomList,
  sendMessage,
  unreadCount,
} from '#contract/chat/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { ChatService } from './service.ts';

export function serveChat(serve: Serve, chat: ChatService): void {
  serve(roomList, async (_input, caller) => ({ rooms: await chat.rooms(caller.userId) }));
  serve(roomDetail, (input, caller) => chat.room(input.roomid, caller.userId));
  serve(msgList, (input, caller) =>
    chat.messages(input.roomid, caller.userId, {
      offset: input.offset,
      size: input.size,
      after: input.after,
    }),
  );
  serve(unreadCount, async (_input, caller) => ({ unread: await chat.unread(caller.userId) }));
  serve(sendMessage, (input, caller) => chat.send(input.roomid, caller.userId, input), {
    changesNothingRemembered: true,
  });
  serve(
    markRead,
    async (input, caller) => ({ unread: await chat.read(input.roomid, caller.userId, input.seq) }),
    { changesNothingRemembered: true },
  );
}
