import { useCallback, useEffect, useRef, useState } from 'react';
import type { Message } from '#contract/chat/endpoints.ts';
import { sayTyping, useMessages, useTypingNews } from '../../core/realtime.ts';

/** Who writes says so this often; a person who has been silent a little longer has stopped. */
const saidEveryMs = 2500;
const shownForMs = 4500;

let lastSaid = { roomid: '', atMs: 0 };

/** Tells the others that I am writing, not at every key. */
export function tellTyping(roomid: string): void {
  const atMs = Date.now();
  if (lastSaid.roomid === roomid && atMs - lastSaid.atMs < saidEveryMs) return;
  lastSaid = { roomid, atMs };
  sayTyping(roomid);
}

/** The ids of those who are writing in a room right now. */
export function useTyping(roomid: string): readonly string[] {
  const [writers, setWriters] = useState<readonly string[]>([]);
  const timers = useRef(new Map<string, number>());
  const stop = useCallback((userId: string) => {
    clearTimeout(timers.current.get(userId));
    timers.current.delete(userId);
    setWriters((now) => (now.includes(userId) ? now.filter((each) => each !== userId) : now));
  }, []);
  useTypingNews(
    useCallback(
      (typing) => {
        if (typing.roomid !== roomid) return;
        const { userId } = typing;
        clearTimeout(timers.current.get(userId));
        timers.current.set(
          userId,
          window.setTimeout(() => stop(userId), shownForMs),
        );
        setWriters((now) => (now.includes(userId) ? now : [...now, userId]));
      },
      [roomid, stop],
    ),
  );
  // What was written has arrived.
  useMessages(
    useCallback(
      (message: Message) => {
        if (message.roomid === roomid && message.senderId !== null) stop(message.senderId);
      },
      [roomid, stop],
    ),
  );
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
    };
  }, []);
  return writers;
}
