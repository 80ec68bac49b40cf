import { msgList, type Message } from '#contract/chat/endpoints.ts';
import { queryClient } from '../../core/query-client.ts';
import type { Stretch } from './stretch.ts';

/** As many lines as are read when a room is opened. */
const mostKept = 60;

/**
 * They are stored where `offline-cache.ts` stores reads: for their person, for a day, until they sign out.
 */
const keyOf = (roomid: string) => [msgList.path, { roomid, kept: 'last' }];

/** Keeps the last lines of a room, to be read without a connection. */
export function keepLines(roomid: string, messages: readonly Message[]): void {
  if (messages.length > 0)
    queryClient.setQueryData<readonly Message[]>(keyOf(roomid), messages.slice(-mostKept));
}

/** The cached last lines of a room; null where there are none. */
export function readKeptLines(roomid: string): Stretch | null {
  const messages = queryClient.getQueryData<readonly Message[]>(keyOf(roomid));
  const [first] = messages ?? [];
  return messages === undefined || first === undefined ? null : { messages, before: first.seq - 1 };
}
