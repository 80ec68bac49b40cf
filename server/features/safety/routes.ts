import * as calls from '#contract/safety/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { SafetyService } from './service.ts';

export function serveSafety(serve: Serve, safety: SafetyService): void {
  serve(calls.shareTrip, (input, caller) => safety.share(input, caller.userId));
  serve(calls.listShares, (input, caller) => safety.shares(input.id, caller.userId));
  serve(calls.stopSharing, (input, caller) => safety.stopSharing(input.shareId, caller.userId));
  serve(calls.watchTrip, (input) => safety.watch(input.code));
  serve(calls.readTrustedContact, (_input, caller) => safety.trusted(caller.userId));
  serve(calls.saveTrustedContact, (input, caller) => safety.saveTrusted(input, caller.userId));
  serve(calls.raiseAlarm, (input, caller) => safety.alarm(input, caller.userId));
}
