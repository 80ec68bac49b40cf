import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { catchUp } from './alert-emails.ts';
import { isAnyDue } from './store.ts';

export const scheduleAlerts = (app: App): Schedule => ({
  tasks: [{ name: 'alerts', everyMs: secondMs, isDue: isAnyDue, run: () => catchUp(app) }],
});
