import { useEffect, useRef } from 'react';
import { markRead } from '#contract/chat/endpoints.ts';
import { call } from '../../core/api.ts';
import { invalidate } from '../../core/query-client.ts';

/** Scrolling past is not reading: a line must have been in view this long. */
const lookMs = 400;

/** Tells the server how far I have read: the last position that has been on my screen while I was looking. */
export function useReadMark(roomid: string, readSeq: number, seenSeq: number): void {
  const told = useRef(readSeq);
  useEffect(() => {
    const tell = () => {
      if (seenSeq <= told.current || document.visibilityState !== 'visible') return;
      const before = told.current;
      told.current = seenSeq;
      call(markRead, { roomid, seq: seenSeq }, { quiet: true }).then(
        () => void invalidate('/im/unread-count', '/im/room-list'),
        () => {
          told.current = before;
        },
      );
    };
    const timer = setTimeout(tell, lookMs);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, [roomid, seenSeq]);
}
