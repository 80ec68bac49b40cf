import * as calls from '#contract/alerts/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { AlertsService } from './service.ts';

export function serveAlerts(serve: Serve, alerts: AlertsService): void {
  serve(calls.listAlerts, (_input, caller) => alerts.list(caller.userId));
  serve(calls.createAlert, (input, caller) => alerts.create(caller.userId, input.alert));
  serve(calls.readAlert, async (input, caller) => {
    await alerts.read(input.id, caller.userId);
    return {};
  });
  serve(calls.deleteAlert, async (input, caller) => {
    await alerts.delete(input.id, caller.userId);
    return {};
  });
}
