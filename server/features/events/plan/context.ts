import type { Platform } from '../../../platform/platform.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import type { EventCalendar } from '../calendar/service.ts';
import type { AssignmentCache } from './assignment-cache.ts';

/** What every command about the plan of an event works with. */
export interface PlanContext {
  platform: Platform;
  events: EventCalendar;
  matching: MatchingService;
  orders: OrdersService;
  /** Both directions' assignments; the same answer as long as nothing has moved. */
  assignments: AssignmentCache;
}
