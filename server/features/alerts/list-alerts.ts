import {
  hitsListed,
  type Alert,
  type AlertHit,
  type listAlerts as listCall,
  type AlertTimes,
} from '#contract/alerts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import { wholeMinutes } from '../matching/service.ts';
import { requestViews, rideViews, fromOf, toOf } from '../orders/service.ts';
import * as store from './store.ts';
import type { AlertRow, HitRow } from './store.ts';

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

const inMinutes = (at: Date): string => new Date(wholeMinutes(at.getTime())).toISOString();

const viewHit = (hit: HitRow, order: AlertHit['order']): AlertHit => ({
  order,
  foundAt: hit.foundAt.toISOString(),
  unread: hit.readAt === null,
  pickupAt: inMinutes(hit.pickupAt),
  dropoffAt: inMinutes(hit.dropoffAt),
  fareCents: hit.fareCents,
  detourSeconds: wholeMinutes(hit.detourMs) / 1000,
});

/** @param window its only window, of an alert that is not weekly. */
function viewAlert(
  row: AlertRow,
  of: {
    window: { earliestAt: Date; latestAt: Date };
    hits: AlertHit[];
    counts: { total: number; unread: number };
    now: Date;
  },
): Alert {
  const common = {
    id: row.id,
    from: fromOf(row),
    to: toOf(row),
    times: timesOf(row, of.window),
    timeZone: row.timeZone,
    seats: row.seats,
    preferences: { pets: row.pets, luggage: row.luggage, quiet: row.quiet, women: row.women },
    createdAt: row.createdAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    ended: row.endsAt <= of.now,
    hits: of.hits,
    ...of.counts,
  };
  return row.role === 'passenger'
    ? { ...common, role: 'passenger', offerCents: row.offerCents, walkMetres: row.walkMetres ?? 0 }
    : {
        ...common,
        role: 'driver',
        maxDetourSeconds: Math.round((row.maxDetourMs ?? 0) / 1000),
        priceKind: row.priceKind ?? 'perPerson',
        costCents: row.costCents ?? 0,
      };
}

function timesOf(row: AlertRow, window: { earliestAt: Date; latestAt: Date }): AlertTimes {
  const { days, fromTime, toTime, until } = row;
  return days === null || fromTime === null || toTime === null || until === null
    ? {
        kind: 'once',
        earliestAt: window.earliestAt.toISOString(),
        latestAt: window.latestAt.toISOString(),
      }
    : { kind: 'weekly', days, fromTime, toTime, until };
}
