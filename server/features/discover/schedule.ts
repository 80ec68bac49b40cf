import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { DiscoverService } from './service.ts';

export const scheduleDiscover = (discover: DiscoverService): Schedule => ({
  tasks: [{ name: 'commutes', everyMs: 5 * secondMs, run: discover.catchUp }],
});
