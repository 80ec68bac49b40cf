import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { CommutesService } from './service.ts';
import { isAnyoneDue } from './store.ts';

export const scheduleCommutes = (commutes: CommutesService): Schedule => ({
  tasks: [{ name: 'commutes', everyMs: 3 * secondMs, isDue: isAnyoneDue, run: commutes.catchUp }],
});
