import type { Platform } from '../../../platform/platform.ts';
import type { LicenseContext } from './context.ts';
import { decideLicense } from './decide-license.ts';
import { listWaiting } from './list-waiting.ts';
import { readLatest, sendLicense } from './send-license.ts';
import * as store from './store.ts';
import { adminIds } from '../../identity/queries.ts';

export type LicensesService = ReturnType<typeof createLicenses>;

/** Driver licenses: their photos, sent by drivers and decided about by admins. */
export function createLicenses(platform: Platform, features: Omit<LicenseContext, 'platform'>) {
  const context: LicenseContext = { platform, ...features };
  return {
    /** Keeps a license with a past, as it is given: the demo community. */
    importLicense: (row: Parameters<typeof store.insertLicense>[1]) => store.insertLicense(platform.db, row),
    latest: readLatest.bind(null, context),
    send: sendLicense.bind(null, context),
    waiting: listWaiting.bind(null, context),
    decide: decideLicense.bind(null, context),
    /** Who is told that photos wait. */
    adminIds: () => adminIds(platform.db),
  };
}
