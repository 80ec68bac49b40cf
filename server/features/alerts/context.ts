import type { App } from '../../app-type.ts';
import type { NotificationsService } from '../notifications/service.ts';

/** What the commands of this feature depend on. */
export interface AlertsContext {
  platform: App;
  notifications: NotificationsService;
}
