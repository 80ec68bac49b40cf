import type { Message } from '#contract/chat/endpoints.ts';
import { dayOf } from '#contract/formats/times.ts';
import type { Outgoing } from './outbox.ts';

/** The contents of a room, from top to bottom. */
export type Line =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: 'unread' }
  | { kind: 'system'; key: string; message: Message }
  /** `leads` opens a run of messages by one person. */
  | { kind: 'said'; key: string; message: Message; leads: boolean }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing };

// Every time zone is whole quarters of an hour away from the others, so a day never begins within one.
const quarterMs = 15 * 60_000;
const dayOfQuarter = new Map<string, string>();

/**
 * The day of an instant at a place; asked of ten thousand messages, so each quarter of an hour is worked out
 * once.
 */
function dayAt(at: string, timeZone: string): string {
  const key = `${Math.floor(Date.parse(at) / quarterMs)} ${timeZone}`;
  const known = dayOfQuarter.get(key);
  if (known !== undefined) return known;
  const day = dayOf(at, timeZone);
  dayOfQuarter.set(key, day);
  return day;
}

/**
 * Messages in their order with a line for each day, one before the first unread message, and what still waits
 * to be sent.
 */
export function linesOf(room: {
  messages: readonly Message[];
  waiting: readonly Outgoing[];
  /** How far I had read when the room was opened. */
  readSeq: number;
  ownId: string;
  timeZone: string;
}): Line[] {
  const { messages, waiting, readSeq, ownId, timeZone } = room;
  const lines: Line[] = [];
  let day = '';
  let speaker: string | null = null;
  let marked = false;
  const startDay = (at: string) => {
    const next = dayAt(at, timeZone);
    if (next === day) return;
    day = next;
    speaker = null;
    lines.push({ kind: 'day', key: `day ${next}`, at });
  };
  for (const message of messages) {
    startDay(message.at);
    if (!marked && message.seq > readSeq && message.senderId !== ownId && message.kind !== 'system') {
      marked = true;
      speaker = null;
      lines.push({ kind: 'unread', key: 'unread' });
    }
    if (message.kind === 'system') {
      speaker = null;
      lines.push({ kind: 'system', key: message.clientId, message });
    } else {
      lines.push({ kind: 'said', key: message.clientId, message, leads: message.senderId !== speaker });
      speaker = message.senderId;
    }
  }
  const taken = new Set(messages.map(({ clientId }) => clientId));
  for (const outgoing of waiting.filter(({ clientId }) => !taken.has(clientId))) {
    startDay(outgoing.at);
    lines.push({ kind: 'outgoing', key: outgoing.clientId, outgoing });
  }
  return lines;
}
