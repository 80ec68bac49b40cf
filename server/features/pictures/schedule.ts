import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { PicturesService } from './service.ts';

export const schedulePictures = (pictures: PicturesService): Schedule => ({
  tasks: [{ name: 'pictures', everyMs: minuteMs, run: pictures.clearAway }],
});
