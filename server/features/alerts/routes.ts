import * as calls from '#contract/alerts/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { listAlerts } from './list-alerts.ts';
import { createAlert, readAlert, deleteAlert } from './save-alert.ts';

export function serveAlerts(serve: Serve): void {
  serve(calls.listAlerts, (app, _input, caller) => listAlerts(app, caller.userId));
  serve(calls.createAlert, (app, input, caller) => createAlert(app, caller.userId, input.alert));
  serve(calls.readAlert, (app, input, caller) => readAlert(app, input.id, caller.userId));
  serve(calls.deleteAlert, (app, input, caller) => deleteAlert(app, input.id, caller.userId));
}
