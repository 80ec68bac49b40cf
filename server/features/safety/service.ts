import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import type { SafetyContext } from './context.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { listShares, shareTrip, stopSharing } from './share-trip.ts';
import * as store from './store.ts';
import { readTrustedContact, saveTrustedContact } from './trusted-contact.ts';
import { watchTrip } from './watch-trip.ts';

export type SafetyService = ReturnType<typeof createSafety>;

/**
 * Another person watches over a ride: the holder of a link to it, and the contact who is told in an
 * emergency.
 */
export function createSafety(platform: Platform, features: Omit<SafetyContext, 'platform'>) {
  const context: SafetyContext = { platform, ...features };
  return {
    erasure: store.erasure,
    share: shareTrip.bind(null, context),
    shares: listShares.bind(null, context),
    stopSharing: stopSharing.bind(null, context),
    watch: watchTrip.bind(null, context),
    trusted: readTrustedContact.bind(null, context),
    saveTrusted: saveTrustedContact.bind(null, context),
    alarm: raiseAlarm.bind(null, context),
    /** Forgets the links of rides that ended a day ago. */
    clearAway: () => store.forgetShares(platform.db, later(platform.clock.now(), -dayMs)),
  };
}
