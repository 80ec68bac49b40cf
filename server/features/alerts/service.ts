import type { App } from '../../app-type.ts';
import { postAlertEmails, postFirstEmails } from './alert-emails.ts';
import { catchUp } from './catch-up.ts';
import type { AlertsContext } from './context.ts';
import { listAlerts } from './list-alerts.ts';
import { matchAlert } from './match-alert.ts';
import { matchRequests, matchRides, type ChangedOrder } from './match-order.ts';
import { createAlert, deleteAlert, readAlert } from './own-alert.ts';
import * as store from './store.ts';

export { erasure } from './store.ts';

export type AlertsService = ReturnType<typeof createAlerts>;

/** Saved alerts: matched against every published order, with emails about new hits. */
export function createAlerts(platform: App, features: Omit<AlertsContext, 'platform'>) {
  const context: AlertsContext = { platform, ...features };
  return {
    list: listAlerts.bind(null, context),
    create: createAlert.bind(null, context),
    read: readAlert.bind(null, context),
    delete: deleteAlert.bind(null, context),

    /**
     * Matches rides that were published or changed against the alerts of passengers, and emails the owners of
     * those they fit: the first of them at once, the others by and by, so that other rides do not wait.
     */
    ridesChanged: async (changed: readonly ChangedOrder[]): Promise<void> =>
      postFirstEmails(context, await matchRides(context, changed)),
    /** The same for requests and the alerts of drivers. */
    requestsChanged: async (changed: readonly ChangedOrder[]): Promise<void> =>
      postFirstEmails(context, await matchRequests(context, changed)),
    /** Marks the hits of ended orders as gone. */
    ordersEnded: (kind: 'ride' | 'request', ids: readonly string[]): Promise<void> =>
      store.loseAllHits(platform.db, kind, ids, platform.clock.now()),
    /** Matches a new alert against the open orders. */
    async alertSaved(alertId: string): Promise<void> {
      await matchAlert(context, alertId);
      await postAlertEmails(context, [alertId]);
    },

    catchUp: () => catchUp(context),
  };
}
