import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { CommutesService } from './service.ts';

export const scheduleCommutes = (commutes: CommutesService): Schedule => ({
  tasks: [{ name: 'commutes', everyMs: 3 * secondMs, run: commutes.catchUp }],
});
