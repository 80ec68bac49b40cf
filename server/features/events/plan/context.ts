import type { App } from '../../../app-type.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import type { EventCalendar } from '../calendar/service.ts';
import type { AssignmentCache } from './assignment-cache.ts';

/** What the commands about an event's plan use. */
export interface PlanContext {
  platform: App;
  events: EventCalendar;
  matching: MatchingService;
  orders: OrdersService;
  /** Both directions' assignments; cached as long as the input is unchanged. */
  assignments: AssignmentCache;
}
