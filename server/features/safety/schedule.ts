import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { clearOldShares } from './share-trip.ts';

export const scheduleSafety = (app: App): Schedule => ({
  tasks: [{ name: 'shared trips', everyMs: minuteMs, run: () => clearOldShares(app) }],
});
