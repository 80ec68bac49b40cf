import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { SafetyContext } from './context.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { listShares, shareTrip, stopSharing } from './share-trip.ts';
import * as store from './store.ts';
import { readTrustedContact, saveTrustedContact } from './trusted-contact.ts';
import { watchTrip } from './watch-trip.ts';

export type SafetyService = ReturnType<typeof createSafety>;

/** Trip sharing and emergencies: links by which others follow a ride, and the trusted contact. */
export function createSafety(platform: App) {
  const context: SafetyContext = { platform };
  return {
    erasure: store.erasure,
    share: shareTrip.bind(null, context),
    shares: listShares.bind(null, context),
    stopSharing: stopSharing.bind(null, context),
    watch: watchTrip.bind(null, context),
    trusted: readTrustedContact.bind(null, context),
    saveTrusted: saveTrustedContact.bind(null, context),
    alarm: raiseAlarm.bind(null, context),
    /** Deletes links to rides that ended more than a day ago. */
    clearAway: () => store.forgetShares(platform.db, later(platform.clock.now(), -keptMs('sharedTrips'))),
  };
}
