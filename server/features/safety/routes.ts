import * as calls from '#contract/safety/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { raiseAlarm, readTrustedContact, saveTrustedContact } from './raise-alarm.ts';
import { shareTrip, listShares, stopSharing, watchTrip } from './share-trip.ts';

export function serveSafety(serve: Serve): void {
  serve(calls.shareTrip, (app, input, caller) => shareTrip(app, input, caller.userId));
  serve(calls.listShares, (app, input, caller) => listShares(app, input.id, caller.userId));
  serve(calls.stopSharing, (app, input, caller) => stopSharing(app, input.shareId, caller.userId));
  serve(calls.watchTrip, (app, input) => watchTrip(app, input.code));
  serve(calls.readTrustedContact, (app, _input, caller) => readTrustedContact(app, caller.userId));
  serve(calls.saveTrustedContact, (app, input, caller) => saveTrustedContact(app, input, caller.userId));
  serve(calls.raiseAlarm, (app, input, caller) => raiseAlarm(app, input, caller.userId));
}
