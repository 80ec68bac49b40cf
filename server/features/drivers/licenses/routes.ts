import { latestLicence, saveLicence, saveVerdict, waitingLicences } from '#contract/licences/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { LicensesService } from './service.ts';

export function serveLicenses(serve: Serve, licences: LicensesService): void {
  serve(latestLicence, async (_, caller) => ({ licence: await licences.latest(caller.userId) }));
  serve(saveLicence, async (input, caller) => ({ licence: await licences.send(caller.userId, input) }));
  serve(waitingLicences, (_, caller) => licences.waiting(caller.userId));
  serve(saveVerdict, async (input, caller) => {
    await licences.decide(caller.userId, input);
    return {};
  });
}
