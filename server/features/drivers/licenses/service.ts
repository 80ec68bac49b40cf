import type { App } from '../../../app-type.ts';
import type { LicenseContext } from './context.ts';
import { decideLicense } from './decide-license.ts';
import { listWaiting } from './list-waiting.ts';
import { readLatest, sendLicense } from './send-license.ts';
import * as store from './store.ts';
import { staffWith } from '../../identity/queries.ts';

export type LicensesService = ReturnType<typeof createLicenses>;

/** Driver licenses: photos that drivers send and admins accept or deny. */
export function createLicenses(platform: App, features: Omit<LicenseContext, 'platform'>) {
  const context: LicenseContext = { platform, ...features };
  return {
    /** Inserts a license as given, with past dates: for the demo community. */
    importLicense: (row: Parameters<typeof store.insertLicense>[1]) => store.insertLicense(platform.db, row),
    latest: readLatest.bind(null, context),
    send: sendLicense.bind(null, context),
    waiting: listWaiting.bind(null, context),
    decide: decideLicense.bind(null, context),
    /** The admins who are notified that photos wait. */
    reviewerIds: async () => (await staffWith(platform.db, 'licenses.read')).map(({ id }) => id),
  };
}
