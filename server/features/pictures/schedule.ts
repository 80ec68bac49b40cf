import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { clearPictures } from './clear-pictures.ts';

export const schedulePictures = (app: App): Schedule => ({
  tasks: [{ name: 'pictures', everyMs: minuteMs, run: () => clearPictures(app) }],
});
