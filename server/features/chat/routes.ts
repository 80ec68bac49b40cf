import {
  markRead,
  msgList,
  roomDetail,
  roomList,
  sendMessage,
  unreadCount,
} from '#contract/chat/endpoints.ts';
import { reportMessage } from '#contract/tickets/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatService } from './service.ts';

const markOf = (input: { roomid: string; seq: number }, { userId }: { userId: string }) => ({
  roomId: input.roomid,
  userId,
  seq: input.seq,
});

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
  serve(unreadCount, (_input, caller) => chat.unread(caller.userId));
  serve(sendMessage, (input, caller) => chat.send(input.roomid, caller.userId, input), {
    changesNothingRemembered: true,
  });
  serve(
    reportMessage,
    async (input, caller) => {
      await chat.report(caller.userId, input);
      return {};
    },
    { changesNothingRemembered: true },
  );
  serve(markRead, async (input, caller) => ({ unread: await chat.read(markOf(input, caller)) }), {
    changesNothingRemembered: true,
  });
}

/** What open apps say over their sockets: the same calls, without a request for each. */
export function serveLiveChat({ realtime }: Platform, chat: ChatService): void {
  realtime.answer('send', sendMessage, (input, caller) => chat.send(input.roomid, caller.userId, input));
  realtime.answer('read', markRead, async (input, caller) => ({
    unread: await chat.readSoon(markOf(input, caller)),
  }));
}
