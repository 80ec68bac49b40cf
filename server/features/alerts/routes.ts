import { createAlert, deleteAlert, listAlerts, readAlert } from '#contract/alerts/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { AlertsService } from './service.ts';

export function serveAlerts(serve: Serve, alerts: AlertsService): void {
  serve(listAlerts, (_input, caller) => alerts.list(caller.userId));
  serve(createAlert, (input, caller) => alerts.create(caller.userId, input.alert));
  serve(readAlert, async (input, caller) => {
    await alerts.read(input.id, caller.userId);
    return {};
  });
  serve(deleteAlert, async (input, caller) => {
    await alerts.delete(input.id, caller.userId);
    return {};
  });
}
