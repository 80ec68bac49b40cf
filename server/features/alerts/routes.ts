import * as calls from '#contract/alerts/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { listAlerts } from './list-alerts.ts';
import { createAlert, readAlert, deleteAlert } from './save-alert.ts';

export function serveAlerts(serve: Serve): void {
  serve(calls.listAlerts, (app, _input, caller) => listAlerts(app, caller.userId));
  serve(calls.createAlert, (app, input, caller) => createAlert(app, caller.userId, input.alert));
  serve(calls.readAlert, async (app, input, caller) => {
    await readAlert(app, input.id, caller.userId);
    return {};
  });
  serve(calls.deleteAlert, async (app, input, caller) => {
    await deleteAlert(app, input.id, caller.userId);
    return {};
  });
}
