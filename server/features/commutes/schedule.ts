import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { catchUp } from './commute-index.ts';
import { isAnyoneDue } from './store.ts';

export const scheduleCommutes = (app: App): Schedule => ({
  tasks: [{ name: 'commutes', everyMs: 3 * secondMs, isDue: isAnyoneDue, run: () => catchUp(app) }],
});
