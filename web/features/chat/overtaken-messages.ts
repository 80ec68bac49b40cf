import type { Message } from '#contract/chat/endpoints.ts';

/**
 * A message overtakes another where two processes tell of them at the same moment. The app waits this long,
 * in milliseconds, for the one before; what has not come is read.
 */
const overtakenWithinMs = 500;

export interface OvertakenMessages {
  /** What arrived before the message that it follows, and waits. */
  readonly early: readonly Message[];
  hold: (message: Message) => void;
  /** Lets go of what is shown by now; what still waits has a time of its own from here on. */
  shownUpTo: (seq: number) => void;
}

/**
 * Holds the messages of a room that arrive before one that they follow.
 * @param onMissing called where the one before has not come in time
 */
export function holdOvertaken(onMissing: () => void): OvertakenMessages {
  let early: Message[] = [];
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const wait = () => {
    clearTimeout(waiting ?? undefined);
    const late = () => {
      waiting = null;
      onMissing();
    };
    waiting = early.length === 0 ? null : setTimeout(late, overtakenWithinMs);
  };
  return {
    get early() {
      return early;
    },
    hold: (message) => {
      early.push(message);
      if (waiting === null) wait();
    },
    shownUpTo: (seq) => {
      early = early.filter((message) => message.seq > seq);
      wait();
    },
  };
}
