import type { Platform } from '../../platform/platform.ts';
import { createLineBatches, type LineBatches } from './lines/line-batches.ts';
import { createMarkBatches, type MarkBatches } from './mark-batches.ts';
import { rememberMembers, type MemberMemory } from './members.ts';

/** State of this feature that lives as long as the process. */
export interface ChatState {
  members: MemberMemory;
  lines: LineBatches;
  marks: MarkBatches;
}

export function openChat(platform: Platform): ChatState {
  const members = rememberMembers(platform.db);
  return {
    members,
    lines: createLineBatches(platform, members),
    marks: createMarkBatches(platform, members),
  };
}
