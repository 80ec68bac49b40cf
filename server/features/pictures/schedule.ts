import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { clearPictures } from './clear-pictures.ts';
import type { App } from '../../app-type.ts';

export const schedulePictures = (app: App): Schedule => ({
  tasks: [{ name: 'pictures', everyMs: minuteMs, run: () => clearPictures(app) }],
});
