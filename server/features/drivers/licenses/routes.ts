import { latestLicense, saveLicense, saveVerdict, waitingLicenses } from '#contract/licenses/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { decideLicense } from './decide-license.ts';
import { listWaiting } from './list-waiting.ts';
import { readLicense, sendLicense } from './send-license.ts';

export function serveLicenses(serve: Serve, app: App): void {
  serve(latestLicense, async (_, caller) => ({ license: await readLicense(app, caller.userId) }));
  serve(saveLicense, async (input, caller) => ({ license: await sendLicense(app, caller.userId, input) }));
  serve(waitingLicenses, (_, caller) => listWaiting(app, caller.userId));
  serve(saveVerdict, async (input, caller) => {
    await decideLicense(app, caller.userId, input);
    return {};
  });
}
