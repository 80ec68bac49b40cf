import type { AlertsContext } from './context.ts';
import { fitsOfRequest, fitsOfRide, type Fit } from './alert-fits.ts';
import { hitOf } from './hits.ts';
import * as store from './store.ts';

/**
 * Matches a ride that was published or changed at `at` against the alerts of passengers.
 * @returns the alerts with a new hit.
 */
export async function matchRide(context: AlertsContext, rideId: string, at: Date): Promise<string[]> {
  const { platform, matching } = context;
  const pairs = await store.ridePairs(platform.db, { rideId }, platform.clock.now());
  const [first] = pairs;
  const fits = first === undefined ? [] : await fitsOfRide(matching, first.order, pairs);
  return keepFits(context, { rideId }, at, fits);
}

/** The same for a request and the alerts of drivers. */
export async function matchRequest(context: AlertsContext, requestId: string, at: Date): Promise<string[]> {
  const { platform, matching } = context;
  const pairs = await store.requestPairs(platform.db, { requestId }, platform.clock.now());
  const [first] = pairs;
  const fits = first === undefined ? [] : await fitsOfRequest(matching, first.order, pairs);
  return keepFits(context, { requestId }, at, fits);
}

/**
 * Stores the fits of an order: new hits once, and marks those it no longer fits as gone, in one transaction.
 * @param at when the order changed; for an alert saved since then it is not news.
 * @returns the alerts that have a new hit.
 */
async function keepFits(
  { platform: { transact, clock, outbox } }: AlertsContext,
  of: { rideId: string } | { requestId: string },
  at: Date,
  found: readonly Fit[],
): Promise<string[]> {
  const now = clock.now();
  return transact(async (tx) => {
    const held = await store.holdAlerts(
      tx,
      found.map(({ alert }) => alert.id),
    );
    // An alert deleted meanwhile has no hits.
    const standing = found.filter(({ alert }) => held.has(alert.id));
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
  });
}
