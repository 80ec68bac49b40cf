import type { App } from '../../app-type.ts';
import type { LineBatches } from './lines/line-batches.ts';
import type { MarkBatches } from './mark-batches.ts';
import type { MemberMemory } from './members.ts';

/** What the commands of this feature use. */
export interface ChatContext {
  platform: App;
  lines: LineBatches;
  marks: MarkBatches;
  members: MemberMemory;
}
