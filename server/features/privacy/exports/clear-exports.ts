import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { removeParts } from './export-files.ts';
import * as store from './store.ts';

/**
 * Deletes exports that are too old, replaced, or of an account that is gone: first their files, then the row.
 */
export async function clearExports({ db, files, clock }: App): Promise<void> {
  const now = clock.now();
  for (const row of await store.oldExports(db, now, later(now, -keptMs('dataExports')))) {
    await removeParts(files, row);
    await store.deleteExport(db, row.id);
  }
}
