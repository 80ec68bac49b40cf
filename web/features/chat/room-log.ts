import { msgList, type Message } from '#contract/chat/endpoints.ts';
import { call } from '../../core/api.ts';
import { extend, renew, type Stretch } from './stretch.ts';

/** What is read at least when a room is opened. */
const firstSize = 60;
const mostAtOnce = 200;

export interface RoomLog {
  /** What is held now; the same thing until something changes. */
  read: () => LogState;
  subscribe: (listener: () => void) => () => void;
  /** Takes a message that arrived by itself; reads what lies between where there is a gap. */
  take: (message: Message) => void;
  /** Reads everything after the last message held. */
  catchUp: () => Promise<void>;
  /** Reads one page before the first message held. */
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

/** Holds a room's messages from a position to the latest, each once and in order, however and how often they arrive. */
export function openRoomLog(
  roomid: string,
  from: { readSeq: number; lastSeq: number; context: number },
): RoomLog {
  let state: LogState = {
    messages: [],
    before: Math.max(0, Math.min(from.readSeq - from.context, from.lastSeq - firstSize)),
    loaded: false,
    readingOlder: false,
    olderFailed: false,
    error: null,
  };
  const listeners = new Set<() => void>();
  const change = (part: Partial<LogState>) => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const lastSeq = () => state.messages.at(-1)?.seq ?? state.before;
  const add = (more: readonly Message[]) => {
    const { messages } = extend(state, more);
    if (messages !== state.messages) change({ messages });
  };

  let reading = false;
  let askedAgain = false;
  async function catchUp(): Promise<void> {
    askedAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (askedAgain) {
        askedAgain = false;
        const { messages } = await call(
          msgList,
          { roomid, after: lastSeq(), size: mostAtOnce },
          { quiet: true },
        );
        add(messages);
        if (!state.loaded) change({ loaded: true });
        if (messages.length === mostAtOnce) askedAgain = true;
      }
      if (state.error !== null) change({ error: null });
    } catch (error) {
      askedAgain = false;
      change({ error: error as Error });
    } finally {
      reading = false;
    }
  }

  async function older(): Promise<void> {
    const { before, readingOlder } = state;
    if (before === 0 || readingOlder) return;
    change({ readingOlder: true, olderFailed: false });
    const after = Math.max(0, before - mostAtOnce);
    try {
      const { messages } = await call(msgList, { roomid, after, size: before - after }, { quiet: true });
      change({ before: after, messages: [...messages, ...state.messages], readingOlder: false });
    } catch {
      change({ readingOlder: false, olderFailed: true });
    }
  }

  async function readAgain(seq: number): Promise<void> {
    try {
      const { messages } = await call(msgList, { roomid, after: seq - 1, size: 1 }, { quiet: true });
      const [fresh] = messages;
      if (fresh?.seq === seq) change({ messages: renew(state, fresh).messages });
    } catch {
      // Shown as missing until it is read the next time.
    }
  }

  return {
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    take: (message) => {
      if (message.roomid !== roomid) return;
      if (message.seq > lastSeq() + 1) void catchUp();
      else add([message]);
    },
    catchUp,
    older,
    renew: readAgain,
  };
}
