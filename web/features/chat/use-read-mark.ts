import { useCallback, useEffect, useRef } from 'react';
import { markRead } from '#contract/chat/endpoints.ts';
import { call } from '../../core/api.ts';
import { callLive } from '../../core/realtime.ts';
import { readSession } from '../../core/session.ts';

/** Scrolling past is not reading: a line must have been in view this long. */
const lookMs = 400;
/** Shortest interval between two read marks. */
const everyMs = 2000;

/** Tells the server how far I have read: the last position that has been on my screen while I was looking. */
export function useReadMark(roomid: string, readSeq: number, seenSeq: number): void {
  const looked = useRef(readSeq);
  const told = useRef({ seq: readSeq, atMs: -everyMs });
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);

  const tell = useCallback(() => {
    const { seq: before } = told.current;
    const seq = looked.current;
    if (seq <= before) return;
    told.current = { seq, atMs: performance.now() };
    tellMark(roomid, seq).catch(() => {
      told.current.seq = before;
    });
  }, [roomid]);

  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      looked.current = Math.max(looked.current, seenSeq);
      clearTimeout(waiting.current);
      waiting.current = setTimeout(tell, Math.max(0, told.current.atMs + everyMs - performance.now()));
    };
    const timer = setTimeout(look, lookMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [seenSeq, tell]);

  // Sends the mark of what was read before the room is left.
  useEffect(
    () => () => {
      clearTimeout(waiting.current);
      tell();
    },
    [tell],
  );
}

async function tellMark(roomid: string, seq: number): Promise<void> {
  const mark = { roomid, seq };
  const { unread } = (await callLive('read', mark)) ?? (await call(markRead, mark, { quiet: true }));
  const { id } = readSession();
  const { takeRead } = await import('../../core/room-news.ts');
  takeRead({ roomid, userId: id, seq, unread }, id);
}
