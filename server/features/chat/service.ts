import type { App } from '../../app-type.ts';
import type { ChatContext } from './context.ts';
import { createLineBatches } from './lines/line-batches.ts';
import { createMarkBatches } from './mark-batches.ts';
import { countUnread, markRead, markReadSoon } from './mark-read.ts';
import { rememberMembers } from './members.ts';
import { listMessages } from './messages.ts';
import { noteMoves, tellRoomLines } from './moves/note-moves.ts';
import { reportMessage } from './report-message.ts';
import { listRooms, readRoom } from './rooms.ts';
import { sendMessage } from './send-message.ts';
import * as store from './store.ts';
import { tellTyping } from './tell-typing.ts';

export type ChatService = ReturnType<typeof createChat>;

/** The rooms of rides and the threads of bookings before them: lines, members and read marks. */
export function createChat(platform: App) {
  const members = rememberMembers(platform.db);
  const lines = createLineBatches(platform, members);
  const marks = createMarkBatches(platform, members);
  const context: ChatContext = { platform, lines, marks, members };
  return {
    erasure: store.erasure,
    /** Removes a person's name from the system lines of their rooms, in the caller's transaction. */
    replaceName: store.replaceName,
    rooms: listRooms.bind(null, context),
    room: readRoom.bind(null, context),
    messages: listMessages.bind(null, context),
    unread: countUnread.bind(null, context),
    send: sendMessage.bind(null, context),
    report: reportMessage.bind(null, context),
    read: markRead.bind(null, context),
    readSoon: markReadSoon.bind(null, context),
    typing: tellTyping.bind(null, context),
    noteMoves: noteMoves.bind(null, context),
    tellRoomLines: tellRoomLines.bind(null, context),
  };
}
