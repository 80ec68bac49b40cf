import type { App } from '../../../app-type.ts';
import type { OrdersService } from '../../orders/service.ts';
import type { AssignmentCache } from './assignment-cache.ts';

/** What the commands about an event's plan use. */
export interface PlanContext {
  platform: App;
  orders: OrdersService;
  /** Both directions' assignments; cached as long as the input is unchanged. */
  assignments: AssignmentCache;
}
