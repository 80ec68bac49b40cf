import { readSettings, saveSettings } from '#contract/notifications/endpoints.ts';
import type { Serve } from '../../base/http.ts';
import type { NotificationsService } from './service.ts';

export function serveNotifications(serve: Serve, notifications: NotificationsService): void {
  serve(readSettings, (_, caller) => notifications.settings(caller.userId));
  serve(saveSettings, (input, caller) => notifications.save(caller.userId, input));
}
