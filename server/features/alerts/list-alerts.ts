import {
  hitsListed,
  type Alert,
  type AlertHit,
  type listAlerts as listCall,
} from '#contract/alerts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { requestViews, rideViews } from '../orders/service.ts';
import * as store from './store.ts';
import { viewAlert, viewHit } from './view.ts';

/** A person's alerts, newest first, each with its newest usable hits. */
export async function listAlerts(app: App, ownerId: string): Promise<OutputOf<typeof listCall>> {
  const { db, clock } = app;
  const now = clock.now();
  const rows = await store.alertsOf(db, ownerId);
  const [{ hits, counts }, windows] = await Promise.all([
    store.hitsOf(db, ownerId, hitsListed, now),
    store.singleWindows(
      db,
      rows.filter(({ days }) => days === null).map(({ id }) => id),
    ),
  ]);
  const views = await viewHits(app, hits, ownerId);
  const alerts = rows.map((row): Alert =>
    viewAlert(row, {
      window: windows.get(row.id) ?? { earliestAt: row.endsAt, latestAt: row.endsAt },
      hits: views.filter((_view, index) => hits[index]!.hit.alertId === row.id),
      counts: counts.get(row.id) ?? { total: 0, unread: 0 },
      now,
    }),
  );
  return { alerts, unread: alerts.reduce((sum, { unread }) => sum + unread, 0) };
}

/** Hits in the given order, their orders as exact as the viewer may see them. */
export async function viewHits(
  app: App,
  hits: readonly store.StandingHit[],
  viewerId: string,
): Promise<AlertHit[]> {
  const [rides, requests] = await Promise.all([
    rideViews(
      app,
      hits.flatMap(({ ride }) => ride ?? []),
      viewerId,
    ),
    requestViews(
      app,
      hits.flatMap(({ request }) => request ?? []),
      viewerId,
    ),
  ]);
  const orders = new Map<string, AlertHit['order']>(
    [...rides, ...requests].map((order) => [order.id, order]),
  );
  return hits.map(({ hit }) => viewHit(hit, orders.get((hit.rideId ?? hit.requestId)!)!));
}
