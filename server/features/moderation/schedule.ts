import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { ModerationService } from './service.ts';

export const scheduleModeration = ({ statistics }: ModerationService): Schedule => ({
  tasks: [{ name: 'statistics', everyMs: 10 * secondMs, isApart: true, run: statistics.addUp }],
});
