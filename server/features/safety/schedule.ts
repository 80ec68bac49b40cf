import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { SafetyService } from './service.ts';

export const scheduleSafety = (safety: SafetyService): Schedule => ({
  tasks: [{ name: 'shared trips', everyMs: minuteMs, run: safety.clearAway }],
});
