import {
  listShares,
  raiseAlarm,
  readTrustedContact,
  saveTrustedContact,
  shareTrip,
  stopSharing,
  watchTrip,
} from '#contract/safety/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { SafetyService } from './service.ts';

export function serveSafety(serve: Serve, safety: SafetyService): void {
  serve(shareTrip, (input, caller) => safety.share(input, caller.userId));
  serve(listShares, (input, caller) => safety.shares(input.id, caller.userId));
  serve(stopSharing, (input, caller) => safety.stopSharing(input.shareId, caller.userId));
  serve(watchTrip, (input) => safety.watch(input.code));
  serve(readTrustedContact, (_input, caller) => safety.trusted(caller.userId));
  serve(saveTrustedContact, (input, caller) => safety.saveTrusted(input, caller.userId));
  serve(raiseAlarm, (input, caller) => safety.alarm(input, caller.userId));
}
