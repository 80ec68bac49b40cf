import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { PrivacyService } from './service.ts';

export const schedulePrivacy = (privacy: PrivacyService): Schedule => ({
  tasks: [{ name: 'deletions', everyMs: minuteMs, isApart: true, run: privacy.deleteDue }],
});
