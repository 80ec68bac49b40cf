import * as calls from '#contract/chat/endpoints.ts';
import { reportMessage as reportCall } from '#contract/tickets/endpoints.ts';
import type { App, Serve } from '../../app-type.ts';
import { countUnread, markRead, markReadSoon, listMessages, listRooms, readRoom } from './rooms.ts';
import { reportMessage } from './report-message.ts';
import { sendMessage } from './send-message.ts';

const markOf = (input: { roomid: string; seq: number }, { userId }: { userId: string }) => ({
  roomId: input.roomid,
  userId,
  seq: input.seq,
});

export function serveChat(serve: Serve): void {
  serve(calls.roomList, async (app, _input, caller) => ({ rooms: await listRooms(app, caller.userId) }));
  serve(calls.roomDetail, (app, input, caller) => readRoom(app, input.roomid, caller.userId));
  serve(calls.msgList, (app, input, caller) =>
    listMessages(app, input.roomid, caller.userId, {
      offset: input.offset,
      size: input.size,
      after: input.after,
    }),
  );
  serve(calls.unreadCount, (app, _input, caller) => countUnread(app, caller.userId));
  serve(calls.sendMessage, (app, input, caller) => sendMessage(app, input.roomid, caller.userId, input));
  serve(reportCall, (app, input, caller) => reportMessage(app, caller.userId, input));
  serve(calls.markRead, async (app, input, caller) => ({
    unread: await markRead(app, markOf(input, caller)),
  }));
}

/** The events of open apps over their sockets: the same calls, without a request for each. */
export function serveLiveChat(app: App): void {
  const { realtime } = app;
  realtime.answer('send', calls.sendMessage, (input, caller) =>
    sendMessage(app, input.roomid, caller.userId, input),
  );
  realtime.answer('read', calls.markRead, async (input, caller) => ({
    unread: await markReadSoon(app, markOf(input, caller)),
  }));
}
