import * as calls from '#contract/alerts/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { listAlerts } from './list-alerts.ts';
import { createAlert, readAlert, deleteAlert } from './own-alert.ts';

export function serveAlerts(serve: Serve, app: App): void {
  serve(calls.listAlerts, (_input, caller) => listAlerts(app, caller.userId));
  serve(calls.createAlert, (input, caller) => createAlert(app, caller.userId, input.alert));
  serve(calls.readAlert, async (input, caller) => {
    await readAlert(app, input.id, caller.userId);
    return {};
  });
  serve(calls.deleteAlert, async (input, caller) => {
    await deleteAlert(app, input.id, caller.userId);
    return {};
  });
}
