import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { addUp } from './statistics/read-statistics.ts';

export const scheduleModeration = (app: App): Schedule => ({
  tasks: [{ name: 'statistics', everyMs: 10 * secondMs, isApart: true, run: () => addUp(app) }],
});
