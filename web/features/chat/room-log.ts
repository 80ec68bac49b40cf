import { msgList, type Message } from '#contract/chat/endpoints.ts';
import { call } from '../../core/api.ts';
import { Offline } from '../../core/errors.ts';
import { firstLinesAfter, mostLinesAtOnce } from './first-lines.ts';
import { keepLines, readKeptLines } from './kept-lines.ts';
import { holdOvertaken } from './overtaken-messages.ts';
import { extend, renew, type Stretch } from './stretch.ts';

export interface RoomLog {
  /** The current state; the same object until something changes. */
  read: () => LogState;
  subscribe: (listener: () => void) => () => void;
  /** Takes a message that arrived by itself; reads what lies between where a gap stays. */
  take: (message: Message) => void;
  /** Reads everything after the last message in memory. */
  catchUp: () => Promise<void>;
  /** Reads one page before the first message in memory. */
  older: () => Promise<void>;
  /** Reads one message again: the address of its picture has ended. */
  renew: (seq: number) => Promise<void>;
}

interface LogState extends Stretch {
  /** Whether the first page has been read: with it a long room can be shown while the rest follows. */
  loaded: boolean;
  readingOlder: boolean;
  /** The last try to read older ones failed: the next one is the person's to make. */
  olderFailed: boolean;
  error: Error | null;
}

/** A value that tells its listeners of each change. */
function holdState<T extends object>(initial: T) {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    change: (part: Partial<T>) => {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Repeats a step while it returns true, and once more when it was asked for meanwhile; never two at a time.
 * `ended` gets the error that ended it, or null.
 */
function oneAtATime(step: () => Promise<boolean>, ended: (error: Error | null) => void): () => Promise<void> {
  let running = false;
  let askedAgain = false;
  return async () => {
    askedAgain = true;
    if (running) return;
    running = true;
    try {
      while (askedAgain) {
        askedAgain = false;
        if (await step()) askedAgain = true;
      }
      ended(null);
    } catch (error) {
      askedAgain = false;
      ended(error as Error);
    } finally {
      running = false;
    }
  };
}

/**
 * Holds a room's messages from a position to the latest, each once and in order, however and how often they
 * arrive.
 */
export function openRoomLog(roomid: string, from: { readSeq: number; lastSeq: number }): RoomLog {
  const log = holdState<LogState>({
    messages: [],
    before: firstLinesAfter(from),
    loaded: false,
    readingOlder: false,
    olderFailed: false,
    error: null,
  });
  const { change } = log;
  const page = (after: number, size: number) => call(msgList, { roomid, after, size }, { quiet: true });
  const lastSeq = () => log.read().messages.at(-1)?.seq ?? log.read().before;
  const overtaken = holdOvertaken(() => void catchUp());
  const add = (more: readonly Message[]) => {
    const { messages } = extend(log.read(), [...more, ...overtaken.early]);
    if (messages === log.read().messages) return;
    change({ messages });
    overtaken.shownUpTo(lastSeq());
  };

  const catchUp = oneAtATime(
    async () => {
      const { messages } = await page(lastSeq(), mostLinesAtOnce);
      add(messages);
      if (!log.read().loaded) change({ loaded: true });
      keepLines(roomid, log.read().messages);
      return messages.length === mostLinesAtOnce;
    },
    (error) => {
      if (log.read().error === error) return;
      const isFirst = log.read().messages.length === 0;
      const kept = error instanceof Offline && isFirst ? readKeptLines(roomid) : null;
      change(kept === null ? { error } : { ...kept, loaded: true, error });
    },
  );

  async function older(): Promise<void> {
    const { before, readingOlder } = log.read();
    if (before === 0 || readingOlder) return;
    change({ readingOlder: true, olderFailed: false });
    const after = Math.max(0, before - mostLinesAtOnce);
    try {
      const { messages } = await page(after, before - after);
      change({ before: after, messages: [...messages, ...log.read().messages], readingOlder: false });
    } catch {
      change({ readingOlder: false, olderFailed: true });
    }
  }

  async function readAgain(seq: number): Promise<void> {
    try {
      const { messages } = await page(seq - 1, 1);
      const [fresh] = messages;
      if (fresh?.seq === seq) change({ messages: renew(log.read(), fresh).messages });
    } catch {
      // Shown as missing until it is read the next time.
    }
  }

  return {
    read: log.read,
    subscribe: log.subscribe,
    take: (message) => {
      if (message.roomid !== roomid) return;
      if (message.seq > lastSeq() + 1) overtaken.hold(message);
      else {
        add([message]);
        keepLines(roomid, log.read().messages);
      }
    },
    catchUp,
    older,
    renew: readAgain,
  };
}
