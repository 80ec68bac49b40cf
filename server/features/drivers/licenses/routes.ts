import { latestLicense, saveLicense, saveVerdict, waitingLicenses } from '#contract/licenses/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { LicensesService } from './service.ts';

export function serveLicenses(serve: Serve, licenses: LicensesService): void {
  serve(latestLicense, async (_, caller) => ({ license: await licenses.latest(caller.userId) }));
  serve(saveLicense, async (input, caller) => ({ license: await licenses.send(caller.userId, input) }));
  serve(waitingLicenses, (_, caller) => licenses.waiting(caller.userId));
  serve(saveVerdict, async (input, caller) => {
    await licenses.decide(caller.userId, input);
    return {};
  });
}
