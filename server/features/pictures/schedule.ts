import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { minuteMs, later } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import * as store from './store.ts';

export const schedulePictures = (app: App): Schedule => ({
  tasks: [{ name: 'pictures', everyMs: minuteMs, run: () => clearPictures(app) }],
});

/** Deletes pictures that were not used within a day, and files of deleted pictures. */
export async function clearPictures({ db, files, clock }: App): Promise<void> {
  await store.deleteUnused(db, later(clock.now(), -keptMs('unusedPictures')));
  for (const objectKey of await store.filesToRemove(db)) {
    await files.remove(objectKey);
    await store.noteRemoved(db, objectKey);
  }
}
