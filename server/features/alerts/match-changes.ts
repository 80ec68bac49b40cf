import type { App } from '../../app-type.ts';
import { openRequestsAmong, openRidesAmong } from '../orders/queries.ts';
import type { RequestRow, RideRow } from '../orders/service.ts';
import { postAlertEmails, postFirstEmails } from './alert-emails.ts';
import { fitsOfRequest, ridesThatFit, type Fit, hitOf } from './alert-fits.ts';
import { matchRequests, matchRides, type ChangedOrder } from './match-order.ts';
import * as store from './store.ts';

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

/** Stores the existing orders that a new alert fits. No email is sent: the owner sees them on the page. */
async function matchAlert(app: App, alertId: string): Promise<void> {
  const { db, transact, clock, outbox } = app;
  const alert = await store.alertById(db, alertId);
  if (alert === null) return;
  const hits = await hitsOf(app, alert, clock.now());
  if (hits.length === 0) return;
  await transact('match alert', async (tx) => {
    if (!(await store.holdAlerts(tx, [alertId])).has(alertId)) return;
    // The soonest last: inserted last, it is listed first.
    const fresh = await store.keepHits(
      tx,
      hits.toSorted((a, b) => b.pickupAt.getTime() - a.pickupAt.getTime()),
    );
    const { id, ownerId, role } = alert;
    // The order's own signal finds this hit stored, and would notify no owner.
    const isNews = fresh.has(id) && hits.some((hit) => hit.emailedAt === null);
    if (isNews) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: isNews ? 'alert.hit' : null });
  });
}

/** The open orders that fit an alert now. */
async function hitsOf(app: App, alert: store.AlertRow, now: Date): Promise<readonly store.NewHit[]> {
  // An order published since the alert may get here before its own signal does: its owner is notified of that
  // one.
  const emailedAt = ({ createdAt }: RideRow | RequestRow) => (createdAt <= alert.createdAt ? now : null);
  if (alert.role === 'passenger')
    return (await rideFits(app, alert, now)).map(({ order, fit }) => ({
      ...hitOf(fit, now),
      rideId: order.id,
      emailedAt: emailedAt(order),
    }));
  return (await requestFits(app, alert, now)).map(({ order, fit }) => ({
    ...hitOf(fit, now),
    requestId: order.id,
    emailedAt: emailedAt(order),
  }));
}

interface OrderFit<Order> {
  order: Order;
  fit: Fit;
}

/** Matching finds the rides of a passenger, however many leave at the same time elsewhere. */
async function rideFits(app: App, alert: store.AlertRow, now: Date): Promise<OrderFit<RideRow>[]> {
  const { db } = app;
  const found = await ridesThatFit(app, alert, await store.openWindows(db, alert.id, now));
  const seen = await store.inSight(db, 'ride', pairsOf(alert, [...found.keys()]), now);
  const rides = await openRidesAmong(
    db,
    seen.map(({ orderId }) => orderId),
    now,
  );
  return rides.map((order) => ({ order, fit: { alertId: alert.id, verdict: found.get(order.id)! } }));
}

/**
 * The requests of a driver are compared one by one: matching searches requests by their doors, and an alert
 * is judged by rounded places.
 */
async function requestFits(app: App, alert: store.AlertRow, now: Date): Promise<OrderFit<RequestRow>[]> {
  const { db } = app;
  const near = Map.groupBy(await store.requestsNear(db, alert.id, now), ({ orderId }) => orderId);
  const readAlerts = async () => new Map([[alert.id, alert]]);
  const found: OrderFit<RequestRow>[] = [];
  for (const order of await openRequestsAmong(db, [...near.keys()], now)) {
    const windows = near.get(order.id)!.map((window) => ({ ...alert, ...window, alertId: alert.id }));
    for (const fit of await fitsOfRequest(app, order, windows, readAlerts)) found.push({ order, fit });
  }
  const fitting = found.map(({ order }) => order.id);
  const seen = await store.inSight(db, 'request', pairsOf(alert, fitting), now);
  const isSeen = new Set(seen.map(({ orderId }) => orderId));
  return found.filter(({ order }) => isSeen.has(order.id));
}

const pairsOf = ({ id: alertId }: store.AlertRow, orderIds: readonly string[]): store.OrderAndAlert[] =>
  orderIds.map((orderId) => ({ orderId, alertId }));
