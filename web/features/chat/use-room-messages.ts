import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Room } from '#contract/chat/endpoints.ts';
import { useCatchUp, useMessages } from '../../core/realtime.ts';
import { useHoldFirstScreen } from '../../core/use-hold-first-screen.ts';
import { useSent } from './outbox.ts';
import { openRoomLog } from './room-log.ts';

/**
 * The messages of a room: from a little before the first unread one to the latest, live. Whatever was missed
 * while the connection was down is read by position when it is back.
 */
export function useRoomMessages(room: Room, readSeq: number) {
  const [log] = useState(() => openRoomLog(room.roomid, { readSeq, lastSeq: room.lastSeq }));
  const state = useSyncExternalStore(log.subscribe, log.read);
  useMessages(log.take);
  useSent(log.take);
  const catchUp = useCallback(() => void log.catchUp(), [log]);
  useCatchUp(catchUp);
  useEffect(catchUp, [catchUp]);
  useHoldFirstScreen(!state.loaded && state.error === null);
  return {
    messages: state.messages,
    hasOlder: state.before > 0,
    older: log.older,
    readingOlder: state.readingOlder,
    olderFailed: state.olderFailed,
    loaded: state.loaded,
    error: state.error,
    retry: log.catchUp,
    renew: log.renew,
  };
}
