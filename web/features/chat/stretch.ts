import type { Message } from '#contract/chat/endpoints.ts';

/** A room's messages without gaps, from some position to the latest. */
export interface Stretch {
  messages: readonly Message[];
  /** The position before the first message in memory; 0 when the room's beginning is here. */
  before: number;
}

/**
 * Adds messages to a stretch by position; what is already there stays, a gap stops it. Returns the same
 * stretch when nothing fits.
 */
export function extend(stretch: Stretch, more: readonly Message[]): Stretch {
  const following: Message[] = [];
  let last = stretch.messages.at(-1)?.seq ?? stretch.before;
  for (const message of [...more].toSorted((a, b) => a.seq - b.seq)) {
    if (message.seq !== last + 1) continue;
    following.push(message);
    last = message.seq;
  }
  return following.length === 0 ? stretch : { ...stretch, messages: [...stretch.messages, ...following] };
}

/** The same stretch with a newer version of one of its messages. */
export function renew(stretch: Stretch, fresh: Message): Stretch {
  const at = stretch.messages.findIndex(({ seq }) => seq === fresh.seq);
  return at < 0 ? stretch : { ...stretch, messages: stretch.messages.with(at, fresh) };
}
