import type { Platform } from '../../platform/platform.ts';
import { postAlertEmails } from './alert-emails.ts';
import { catchUp } from './catch-up.ts';
import type { AlertsContext } from './context.ts';
import { listAlerts } from './list-alerts.ts';
import { matchAlert } from './match-alert.ts';
import { matchRequest, matchRide } from './match-order.ts';
import { createAlert, deleteAlert, readAlert } from './own-alert.ts';
import * as store from './store.ts';

export type AlertsService = ReturnType<typeof createAlerts>;

/** Saved alerts: matched against every published order, with emails about new hits. */
export function createAlerts(platform: Platform, features: Omit<AlertsContext, 'platform'>) {
  const context: AlertsContext = { platform, ...features };
  return {
    erasure: store.erasure,
    list: listAlerts.bind(null, context),
    create: createAlert.bind(null, context),
    read: readAlert.bind(null, context),
    delete: deleteAlert.bind(null, context),

    /**
     * Matches a ride that was published or changed at `at` against the alerts of passengers, and emails the
     * owners of those it fits.
     */
    rideChanged: async (rideId: string, at: Date): Promise<void> =>
      postAlertEmails(context, await matchRide(context, rideId, at)),
    /** The same for a request and the alerts of drivers. */
    requestChanged: async (requestId: string, at: Date): Promise<void> =>
      postAlertEmails(context, await matchRequest(context, requestId, at)),
    /** Marks the hits of ended orders as gone. */
    ordersEnded: (kind: 'ride' | 'request', ids: readonly string[]): Promise<void> =>
      platform.transact((tx) => store.loseEnded(tx, kind, ids, platform.clock.now())),
    /** Matches a new alert against the open orders. */
    async alertSaved(alertId: string): Promise<void> {
      await matchAlert(context, alertId);
      await postAlertEmails(context, [alertId]);
    },

    catchUp: () => catchUp(context),
  };
}
