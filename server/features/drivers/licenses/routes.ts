import { latestLicense, saveLicense, saveVerdict, waitingLicenses } from '#contract/licenses/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { decideLicense, readLicense, sendLicense } from './decide-license.ts';
import { listWaiting } from './list-waiting.ts';

export function serveLicenses(serve: Serve): void {
  serve(latestLicense, async (app, _, caller) => ({ license: await readLicense(app, caller.userId) }));
  serve(saveLicense, async (app, input, caller) => ({
    license: await sendLicense(app, caller.userId, input),
  }));
  serve(waitingLicenses, (app, _, caller) => listWaiting(app, caller.userId));
  serve(saveVerdict, (app, input, caller) => decideLicense(app, caller.userId, input));
}
