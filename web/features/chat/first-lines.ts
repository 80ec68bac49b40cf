import type { Room } from '#contract/chat/endpoints.ts';

/** What is read at least when a room is opened. */
const leastLines = 60;
/**
 * Lines held above the first unread one: a person sees where the talk stood, and can scroll up before more
 * are read.
 */
const linesAbove = 40;
export const mostLinesAtOnce = 200;

/** How far a person has read a room. */
export const readUpTo = ({ members, lastSeq }: Pick<Room, 'members' | 'lastSeq'>, personId: string): number =>
  members.find(({ id }) => id === personId)?.readSeq ?? lastSeq;

/** The position after which a room is read when it is opened. */
export const firstLinesAfter = ({ readSeq, lastSeq }: { readSeq: number; lastSeq: number }): number =>
  Math.max(0, Math.min(readSeq - linesAbove, lastSeq - leastLines));
