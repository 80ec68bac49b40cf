import type { Message } from '#contract/chat/endpoints.ts';

/** A room's messages without gaps, from some position to the latest. */
export interface Stretch {
  messages: readonly Message[];
  /** The position before the first message held; 0 when the room's beginning is here. */
  before: number;
}

/** Adds messages to a stretch by position; what is already there stays, a gap stops it. Returns the same stretch when nothing fits. */
export function extend(stretch: Stretch, more: readonly Message[]): Stretch {
  let { messages } = stretch;
  let last = messages.at(-1)?.seq ?? stretch.before;
  for (const message of [...more].toSorted((a, b) => a.seq - b.seq)) {
    if (message.seq !== last + 1) continue;
    messages = [...messages, message];
    last = message.seq;
  }
  return messages === stretch.messages ? stretch : { ...stretch, messages };
}
