import type { App } from '../../app-type.ts';
import { minuteMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { deleteDue } from './delete-due.ts';
import { clearExports } from './exports/ask-export.ts';
import { makeExports } from './exports/make-export.ts';
import { isAnyExportDue } from './exports/store.ts';

export const schedulePrivacy = (app: App): Schedule => ({
  tasks: [
    { name: 'deletions', everyMs: minuteMs, isApart: true, run: () => deleteDue(app) },
    {
      name: 'exports',
      everyMs: secondMs,
      isApart: true,
      isShared: true,
      isDue: isAnyExportDue,
      run: () => makeExports(app),
    },
    // After deletions, so that the export of a person who has left goes soon.
    { name: 'old exports', everyMs: minuteMs, run: () => clearExports(app) },
  ],
});
