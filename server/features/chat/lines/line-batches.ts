import { createBatches, type Batches } from '../../../platform/database/batches.ts';
import { hasWaitedTooLong, isConnectionLost } from '../../../platform/database/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { MemberMemory } from '../members.ts';
import { viewMessage } from '../view.ts';
import type { Message } from '#contract/chat/endpoints.ts';
import { addLines, type AddedLine, type NewLine } from './store.ts';

/** Lines that are said within this time become one statement and one commit. */
const everyMs = 3;
const most = 400;

/** Takes lines without pictures; null for one that may not be written, or is written already. */
export type LineBatches = Batches<NewLine, Message | null>;

/** Lines are told to their rooms after their commit, in the order of their positions. */
export function createLineBatches(
  { kept, realtime }: Pick<Platform, 'kept' | 'realtime'>,
  members: MemberMemory,
): LineBatches {
  async function write(lines: readonly NewLine[]): Promise<(Message | null)[]> {
    // What is said twice within one batch is written once: the second asks for the first.
    const distinct = [...new Map(lines.toReversed().map((line) => [nameOf(line), line])).values()];
    const added = await kept.run<AddedLine & Record<string, unknown>>(addLines(distinct.toReversed()));
    const messages = new Map<NewLine, Message>();
    const versions = new Map<string, number>();
    for (const { n, seq, said, membersVersion } of added) {
      const line = distinct.at(-n)!;
      messages.set(line, viewMessage({ ...line, seq, said, system: null }, null));
      versions.set(line.roomId, membersVersion);
    }
    const rooms = await members.at(versions);
    for (const message of messages.values())
      realtime.tell(rooms.get(message.roomid)?.ids ?? [], 'message', message);
    return lines.map((line) => messages.get(line) ?? null);
  }
  return createBatches({
    everyMs,
    most,
    write,
    isOneAtFault: (error) => !isConnectionLost(error) && !hasWaitedTooLong(error),
  });
}

const nameOf = ({ roomId, clientId }: NewLine): string => `${roomId} ${clientId}`;
