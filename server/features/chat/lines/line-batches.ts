import { createBatches } from '../../../platform/database/batches.ts';
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
export interface LineBatches {
  add(line: NewLine): Promise<Message | null>;
}

/** A stored line, and the people to whom it is sent. */
interface Written {
  message: Message;
  memberIds: readonly string[];
}

/** Lines are sent to their rooms after their commit, in the order of their positions. */
export function createLineBatches(
  { kept, realtime }: Pick<Platform, 'kept' | 'realtime'>,
  members: MemberMemory,
): LineBatches {
  async function write(lines: readonly NewLine[]): Promise<(Written | null)[]> {
    // A line sent twice within one batch is written once: the second asks for the first.
    const distinct = [
      ...new Map(lines.toReversed().map((line) => [nameOf(line), line])).values(),
    ].toReversed();
    const added = await kept.run<AddedLine & Record<string, unknown>>(addLines(distinct));
    const versions = new Map<string, number>();
    for (const { n, membersVersion } of added) versions.set(distinct[n - 1]!.roomId, membersVersion);
    const rooms = await members.at(versions);
    const written = new Map<NewLine, Written>();
    for (const { n, seq, said } of added) {
      const line = distinct[n - 1]!;
      const message = viewMessage({ ...line, seq, said, system: null }, null);
      written.set(line, { message, memberIds: rooms.get(line.roomId)?.ids ?? [] });
    }
    return lines.map((line) => written.get(line) ?? null);
  }

  const batches = createBatches({
    everyMs,
    most,
    write,
    afterwards: (lines) => {
      for (const line of lines) if (line !== null) realtime.tell(line.memberIds, 'message', line.message);
    },
    isOneAtFault: (error) => !isConnectionLost(error) && !hasWaitedTooLong(error),
  });
  return { add: async (line) => (await batches.add(line))?.message ?? null };
}

const nameOf = ({ roomId, clientId }: NewLine): string => `${roomId} ${clientId}`;
