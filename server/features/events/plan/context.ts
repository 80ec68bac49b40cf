import type { App } from '../../../app-type.ts';
import type { AssignmentCache } from './assignment-cache.ts';

/** What the commands about an event's plan use. */
export interface PlanContext {
  platform: App;
  /** Both directions' assignments; cached as long as the input is unchanged. */
  assignments: AssignmentCache;
}
