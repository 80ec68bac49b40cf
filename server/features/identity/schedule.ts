import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { IdentityService } from './service.ts';

export const scheduleIdentity = (identity: IdentityService): Schedule => ({
  tasks: [{ name: 'old sign-ins', everyMs: 5 * minuteMs, isApart: true, run: identity.clearOld }],
});
