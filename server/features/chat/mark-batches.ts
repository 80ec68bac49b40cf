import { createBatches, type Batches } from '../../platform/database/batches.ts';
import { hasWaitedTooLong, isConnectionLost } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import type { MemberMemory } from './members.ts';
import * as store from './store.ts';

/** Read marks of open apps are written together; the others see them this much later at the latest. */
const everyMs = 500;
const most = 2000;

/** A member's last read position in a room. */
export interface Mark {
  roomId: string;
  userId: string;
  seq: number;
}

/** Takes read marks; says how many lines are unread after each, null to people who are no members. */
export type MarkBatches = Batches<Mark, number | null>;

export const createMarkBatches = (
  platform: Pick<Platform, 'kept' | 'realtime'>,
  members: MemberMemory,
): MarkBatches =>
  createBatches({
    everyMs,
    most,
    write: (marks) => writeMarks(platform, members, marks),
    isOneAtFault: (error) => !isConnectionLost(error) && !hasWaitedTooLong(error),
  });

type Unread = Pick<store.MovedMark, 'roomId' | 'userId' | 'unread'> & Record<string, unknown>;

/** Moves read marks, and tells their rooms: apps show them without reading anything again. */
export async function writeMarks(
  { kept, realtime }: Pick<Platform, 'kept' | 'realtime'>,
  members: MemberMemory,
  marks: readonly Mark[],
): Promise<(number | null)[]> {
  const furthest = new Map<string, Mark>();
  for (const mark of marks) {
    const other = furthest.get(nameOf(mark));
    if (other === undefined || other.seq < mark.seq) furthest.set(nameOf(mark), mark);
  }
  const moved = await kept.run<store.MovedMark & Record<string, unknown>>(
    store.moveMarks([...furthest.values()]),
  );
  const rooms = await members.at(new Map(moved.map((mark) => [mark.roomId, mark.membersVersion])));
  for (const { roomId, userId, seq, unread } of moved)
    realtime.tell(rooms.get(roomId)?.ids ?? [], 'read', { roomid: roomId, userId, seq, unread });
  const left = new Map(moved.map((mark) => [nameOf(mark), mark.unread]));
  // The last writer has read as far already.
  const unmoved = [...furthest].flatMap(([name, mark]) => (left.has(name) ? [] : [mark]));
  if (unmoved.length > 0)
    for (const each of await kept.run<Unread>(store.unreadAt(unmoved))) left.set(nameOf(each), each.unread);
  return marks.map((mark) => left.get(nameOf(mark)) ?? null);
}

const nameOf = ({ roomId, userId }: Pick<Mark, 'roomId' | 'userId'>): string => `${roomId} ${userId}`;
