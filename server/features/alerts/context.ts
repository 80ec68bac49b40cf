import type { Platform } from '../../platform/platform.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import type { NotificationsService } from '../notifications/service.ts';
import type { OrdersService } from '../orders/service.ts';

/** What the commands of this feature depend on. */
export interface AlertsContext {
  platform: Platform;
  geo: GeoService;
  identity: IdentityService;
  matching: MatchingService;
  rides: OrdersService;
  notifications: NotificationsService;
}
