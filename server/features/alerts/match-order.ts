import type { Db } from '../../platform/database/db.ts';
import type { AlertsContext } from './context.ts';
import { fitsOfRequest, fitsOfRide, type Fit } from './alert-fits.ts';
import { hitOf } from './hits.ts';
import * as store from './store.ts';

/** An order that was published, changed or is free again, and when. */
export interface ChangedOrder {
  id: string;
  at: Date;
  /** It was published: no alert can have fitted it before. */
  isNew: boolean;
}

/** The alerts that an order fits. */
interface OrderFits extends ChangedOrder {
  fits: readonly Fit[];
}

/**
 * Matches rides against the alerts of passengers: what may fit is read for all of them at once.
 * @returns the alerts with a new hit.
 */
export async function matchRides(
  context: AlertsContext,
  changed: readonly ChangedOrder[],
): Promise<string[]> {
  const { platform, matching } = context;
  const rideIds = changed.map(({ id }) => id);
  const pairs = Map.groupBy(
    await store.ridePairs(platform.db, { rideIds }, platform.clock.now()),
    ({ order }) => order.id,
  );
  const found: OrderFits[] = [];
  for (const each of changed) {
    const own = pairs.get(each.id) ?? [];
    found.push({ ...each, fits: own.length === 0 ? [] : await fitsOfRide(matching, own[0]!.order, own) });
  }
  return keepFits(context, 'ride', found);
}

/** The same for requests and the alerts of drivers. */
export async function matchRequests(
  context: AlertsContext,
  changed: readonly ChangedOrder[],
): Promise<string[]> {
  const { platform, matching } = context;
  const requestIds = changed.map(({ id }) => id);
  const pairs = Map.groupBy(
    await store.requestPairs(platform.db, { requestIds }, platform.clock.now()),
    ({ order }) => order.id,
  );
  const found: OrderFits[] = [];
  for (const each of changed) {
    const own = pairs.get(each.id) ?? [];
    found.push({ ...each, fits: own.length === 0 ? [] : await fitsOfRequest(matching, own[0]!.order, own) });
  }
  return keepFits(context, 'request', found);
}

/**
 * Stores what orders fit: new hits once, and marks those they no longer fit as gone. Orders that fit no alert
 * are one statement together.
 * @returns the alerts that have a new hit.
 */
async function keepFits(
  context: AlertsContext,
  kind: 'ride' | 'request',
  found: readonly OrderFits[],
): Promise<string[]> {
  const { db, transact, clock } = context.platform;
  const fitting = found.filter(({ fits }) => fits.length > 0);
  const others = found.filter(({ fits, isNew }) => fits.length === 0 && !isNew).map(({ id }) => id);
  if (others.length > 0) await store.loseAllHits(db, kind, others, clock.now());
  if (fitting.length === 0) return [];
  return transact(async (tx) => {
    const held = await store.holdAlerts(
      tx,
      fitting.flatMap(({ fits }) => fits.map(({ alert }) => alert.id)),
    );
    const told: string[] = [];
    for (const each of fitting) told.push(...(await keepFitsOf(context, tx, kind, { ...each, held })));
    return [...new Set(told)];
  });
}

/** @param of.held the alerts that still exist: one that was deleted meanwhile has no hits */
async function keepFitsOf(
  { platform: { clock, outbox } }: AlertsContext,
  tx: Db,
  kind: 'ride' | 'request',
  { id: orderId, at, fits, held }: OrderFits & { held: ReadonlySet<string> },
): Promise<string[]> {
  const now = clock.now();
  const of = kind === 'ride' ? { rideId: orderId } : { requestId: orderId };
  const standing = fits.filter(({ alert }) => held.has(alert.id));
  const fresh = await store.keepHits(
    tx,
    standing.map((each) => ({
      ...hitOf(each, now),
      ...of,
      emailedAt: at <= each.alert.createdAt ? now : null,
    })),
  );
  await store.loseHits(
    tx,
    of,
    standing.map(({ alert }) => alert.id),
    now,
  );
  const told = standing.filter(({ alert }) => fresh.has(alert.id)).map(({ alert }) => alert);
  // The owner sees orders older than the alert on the page; those are not news.
  for (const { id, ownerId, role, createdAt } of told)
    if (at > createdAt) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
  for (const { id, ownerId } of told)
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: 'alert.hit' });
  return told.map(({ id }) => id);
}
