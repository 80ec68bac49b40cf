import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { openRequestsAmong, openRidesAmong } from '../orders/queries.ts';
import { fitsOfRequest, fitsOfRide, type Fit, hitOf } from './alert-fits.ts';
import * as store from './store.ts';

/** An order that was published, changed or is free again, and when. */
export interface ChangedOrder {
  id: string;
  at: Date;
}

/** The alerts that an order fits and whose owners may see it. */
interface OrderFits extends ChangedOrder {
  fits: readonly Fit[];
}

/**
 * Matches rides against the alerts of passengers: what may fit is read for all of them at once. In a town
 * where thousands wait for a ride in the same hour most of them go other ways, so who may see a ride is
 * looked up for those whom it fits.
 * @returns the alerts with a new hit.
 */
export const matchRides = (app: App, changed: readonly ChangedOrder[]): Promise<string[]> =>
  matchOrders(app, 'ride', changed, { openAmong: openRidesAmong, fitsOf: fitsOfRide });

/** Matches changed requests against the alerts of drivers, as `matchRides`. */
export const matchRequests = (app: App, changed: readonly ChangedOrder[]): Promise<string[]> =>
  matchOrders(app, 'request', changed, { openAmong: openRequestsAmong, fitsOf: fitsOfRequest });

/** The comparison of one kind of orders with alerts: the open ones, and which of the windows near fit one. */
interface Comparison<Order> {
  openAmong: (db: Db, orderIds: readonly string[], now: Date) => Promise<Order[]>;
  fitsOf: (
    app: App,
    order: Order,
    windows: readonly store.NearWindow[],
    readAlerts: (ids: readonly string[]) => Promise<ReadonlyMap<string, store.AlertRow>>,
  ) => Promise<Fit[]>;
}

async function matchOrders<Order extends { id: string }>(
  app: App,
  kind: 'ride' | 'request',
  changed: readonly ChangedOrder[],
  { openAmong, fitsOf }: Comparison<Order>,
): Promise<string[]> {
  const { db, clock } = app;
  const ids = changed.map(({ id }) => id);
  const { windows, hit } = await store.alertsNear(app, kind, ids, clock.now());
  const nearOf = Map.groupBy(windows, ({ orderId }) => orderId);
  const found = new Map<string, Fit[]>();
  // Most orders are near no alert: those are not read.
  const orders = nearOf.size === 0 ? [] : await openAmong(db, [...nearOf.keys()], clock.now());
  for (const order of orders)
    found.set(
      order.id,
      await fitsOf(app, order, nearOf.get(order.id) ?? [], (ids) => store.alertsByIds(db, ids)),
    );
  return keepFits(app, kind, { found: await seenByOwners(app, kind, changed, found), hit });
}

/** The changed orders, each with those of its fits whose alert's owner may see it. */
async function seenByOwners(
  { db, clock }: App,
  kind: 'ride' | 'request',
  changed: readonly ChangedOrder[],
  fitsOf: ReadonlyMap<string, readonly Fit[]>,
): Promise<OrderFits[]> {
  const all = [...fitsOf].flatMap(([orderId, fits]) => fits.map(({ alertId }) => ({ orderId, alertId })));
  const seen = new Set<string>();
  for (const { orderId, alertId } of await store.inSight(db, kind, all, clock.now()))
    seen.add(`${orderId} ${alertId}`);
  return changed.map((order) => ({
    ...order,
    fits: (fitsOf.get(order.id) ?? []).filter(({ alertId }) => seen.has(`${order.id} ${alertId}`)),
  }));
}

/**
 * Stores what orders fit: new hits once, and marks those they no longer fit as gone. Orders that fit no alert
 * are one statement together.
 * @returns the alerts that have a new hit.
 */
async function keepFits(
  app: App,
  kind: 'ride' | 'request',
  { found, hit }: { found: readonly OrderFits[]; hit: ReadonlySet<string> },
): Promise<string[]> {
  const { db, transact, clock } = app;
  const fitting = found.filter(({ fits }) => fits.length > 0);
  const others = found.flatMap(({ id, fits }) => (fits.length === 0 && hit.has(id) ? [id] : []));
  if (others.length > 0) await store.loseAllHits(db, kind, others, clock.now());
  if (fitting.length === 0) return [];
  return transact('save alert hits', async (tx) => {
    const held = await store.holdAlerts(
      tx,
      fitting.flatMap(({ fits }) => fits.map(({ alertId }) => alertId)),
    );
    const told: string[] = [];
    for (const each of fitting) told.push(...(await keepFitsOf(app, tx, kind, { ...each, held })));
    return [...new Set(told)];
  });
}

/** @param of.held the alerts that still exist: one that was deleted meanwhile has no hits */
async function keepFitsOf(
  { clock, outbox }: App,
  tx: Db,
  kind: 'ride' | 'request',
  { id: orderId, at, fits, held }: OrderFits & { held: ReadonlyMap<string, store.HeldAlert> },
): Promise<string[]> {
  const now = clock.now();
  const of = kind === 'ride' ? { rideId: orderId } : { requestId: orderId };
  const standing = fits.flatMap((fit) => {
    const alert = held.get(fit.alertId);
    return alert === undefined ? [] : [{ fit, alert }];
  });
  const fresh = await store.keepHits(
    tx,
    standing.map(({ fit, alert }) => ({
      ...hitOf(fit, now),
      ...of,
      emailedAt: at <= alert.createdAt ? now : null,
    })),
  );
  await store.loseHits(
    tx,
    of,
    standing.map(({ alert }) => alert.id),
    now,
  );
  const told = standing.flatMap(({ alert }) => (fresh.has(alert.id) ? [alert] : []));
  // The owner sees orders older than the alert on the page; no notification is sent for them.
  for (const { id, ownerId, role, createdAt } of told)
    if (at > createdAt) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
  for (const { id, ownerId } of told)
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: 'alert.hit' });
  return told.map(({ id }) => id);
}
