import * as calls from '#contract/safety/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { shareTrip, listShares, stopSharing } from './share-trip.ts';
import { readTrustedContact, saveTrustedContact } from './trusted-contact.ts';
import { watchTrip } from './watch-trip.ts';

export function serveSafety(serve: Serve, app: App): void {
  serve(calls.shareTrip, (input, caller) => shareTrip(app, input, caller.userId));
  serve(calls.listShares, (input, caller) => listShares(app, input.id, caller.userId));
  serve(calls.stopSharing, (input, caller) => stopSharing(app, input.shareId, caller.userId));
  serve(calls.watchTrip, (input) => watchTrip(app, input.code));
  serve(calls.readTrustedContact, (_input, caller) => readTrustedContact(app, caller.userId));
  serve(calls.saveTrustedContact, (input, caller) => saveTrustedContact(app, input, caller.userId));
  serve(calls.raiseAlarm, (input, caller) => raiseAlarm(app, input, caller.userId));
}
