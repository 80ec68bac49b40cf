import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { AlertsService } from './service.ts';
import { isAnyDue } from './store.ts';

export const scheduleAlerts = (alerts: AlertsService): Schedule => ({
  tasks: [{ name: 'alerts', everyMs: secondMs, isDue: isAnyDue, run: alerts.catchUp }],
});
