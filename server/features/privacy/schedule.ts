import { minuteMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { isAnyExportDue } from './exports/store.ts';
import type { PrivacyService } from './service.ts';

export const schedulePrivacy = (privacy: PrivacyService): Schedule => ({
  tasks: [
    { name: 'deletions', everyMs: minuteMs, isApart: true, run: privacy.deleteDue },
    {
      name: 'exports',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: isAnyExportDue,
      run: privacy.makeExports,
    },
    // After deletions, so that the export of a person who has left goes soon.
    { name: 'old exports', everyMs: minuteMs, run: privacy.clearExports },
  ],
});
