import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { clearOldAccess } from './clear-old-access.ts';

export const scheduleIdentity = (app: App): Schedule => ({
  tasks: [{ name: 'old sign-ins', everyMs: 5 * minuteMs, isApart: true, run: () => clearOldAccess(app) }],
});
