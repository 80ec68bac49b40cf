import type { Room } from '#contract/chat/endpoints.ts';

/** The least number of lines to load when a room is opened. */
const leastLines = 60;
/**
 * How many lines to load above the first unread one, so that a person sees the context and can scroll up
 * before more are loaded.
 */
const linesAbove = 40;
export const mostLinesAtOnce = 200;

/** How far a person has read a room. */
export const readUpTo = ({ members, lastSeq }: Pick<Room, 'members' | 'lastSeq'>, personId: string): number =>
  members.find(({ id }) => id === personId)?.readSeq ?? lastSeq;

/** The position after which a room is read when it is opened. */
export const firstLinesAfter = ({ readSeq, lastSeq }: { readSeq: number; lastSeq: number }): number =>
  Math.max(0, Math.min(readSeq - linesAbove, lastSeq - leastLines));
