import * as calls from '#contract/privacy/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { PrivacyService } from './service.ts';

export function servePrivacy(serve: Serve, privacy: PrivacyService): void {
  serve(calls.readPrivacy, (_, caller) => privacy.read(caller.userId));
  serve(calls.savePrivacy, (input, caller) => privacy.save(caller.userId, input));
  serve(calls.exportData, (_, caller) => privacy.export(caller.userId));
  serve(calls.deleteAccount, (input, caller) => privacy.askDeletion(caller, input.password));
  serve(calls.cancelDelete, async (_, caller) => {
    await privacy.undoDeletion(caller.userId);
    return {};
  });
}
