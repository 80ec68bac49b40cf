import type { App } from '../../app-type.ts';
import { postAlertEmails, postFirstEmails } from './alert-emails.ts';
import { matchAlert } from './match-alert.ts';
import { matchRequests, matchRides, type ChangedOrder } from './match-order.ts';

/**
 * Matches rides that were published or changed against the alerts of passengers, and emails the owners of
 * those they fit: the first of them at once, the others by and by, so that other rides do not wait.
 */
export const ridesChanged = async (app: App, changed: readonly ChangedOrder[]): Promise<void> =>
  postFirstEmails(app, await matchRides(app, changed));

/** Matches requests that were published or changed against the alerts of drivers, as `ridesChanged`. */
export const requestsChanged = async (app: App, changed: readonly ChangedOrder[]): Promise<void> =>
  postFirstEmails(app, await matchRequests(app, changed));

/** Matches a new alert against the open orders. */
export async function alertSaved(app: App, alertId: string): Promise<void> {
  await matchAlert(app, alertId);
  await postAlertEmails(app, [alertId]);
}
