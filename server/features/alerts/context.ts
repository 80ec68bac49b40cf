import type { App } from '../../app-type.ts';
import type { MatchingService } from '../matching/service.ts';
import type { NotificationsService } from '../notifications/service.ts';
import type { OrdersService } from '../orders/service.ts';

/** What the commands of this feature depend on. */
export interface AlertsContext {
  platform: App;
  matching: MatchingService;
  rides: OrdersService;
  notifications: NotificationsService;
}
