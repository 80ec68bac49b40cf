import { hitsListed, type Alert, type listAlerts } from '#contract/alerts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound } from '../../platform/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { MatchingService } from '../matching/service.ts';
import type { NotificationsService } from '../notifications/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { createAlertMatches } from './alert-matches.ts';
import { createSavedAlerts, type AlertInput } from './saved-alerts.ts';
import * as store from './store.ts';
import { createAlertEmails } from './alert-emails.ts';
import { viewAlert } from './view.ts';

export type AlertsService = ReturnType<typeof createAlerts>;

const noAlert = () => notFound('alert.notFound', 'This alert could not be found.');

/** What people wait for: kept, held against every order that is published, and told. */
export function createAlerts(
  platform: Platform,
  features: {
    geo: GeoService;
    identity: IdentityService;
    matching: MatchingService;
    rides: OrdersService;
    notifications: NotificationsService;
  },
) {
  const { db, transact, clock, outbox, log } = platform;
  const saved = createSavedAlerts(platform, features.geo, features.matching, features.rides);
  const matches = createAlertMatches(platform, features.matching);
  const emails = createAlertEmails(platform, features.identity, features.rides, features.notifications);

  async function list(ownerId: string): Promise<OutputOf<typeof listAlerts>> {
    const now = clock.now();
    const rows = await store.alertsOf(db, ownerId);
    const [{ hits, counts }, windows] = await Promise.all([
      store.hitsOf(db, ownerId, hitsListed, now),
      store.singleWindows(
        db,
        rows.filter(({ days }) => days === null).map(({ id }) => id),
      ),
    ]);
    const views = await emails.viewsOf(hits, ownerId);
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

  /** One thing that fails is tried again in the next round and does not hold up the others. */
  async function post(alertIds: readonly string[]): Promise<void> {
    for (const id of alertIds)
      await emails
        .post(id)
        .catch((error: unknown) => log.error({ err: error, id }, 'an alert letter failed'));
  }

  return {
    erasure: store.erasure,
    /** A person's alerts, newest first, each with its newest hits that still stand. */
    list,

    /** Saves an alert. Refusals name the field under `alert.`; nothing is stored then. */
    async create(ownerId: string, input: AlertInput): Promise<Alert> {
      const { id } = await saved(ownerId, input);
      const alert = (await list(ownerId)).alerts.find((each) => each.id === id);
      if (alert === undefined) throw noAlert();
      return alert;
    },

    /** Marks the hits of one's alert as seen. Refuses `alert.notFound`. */
    async read(id: string, ownerId: string): Promise<void> {
      const alert = await store.alertById(db, id);
      if (alert?.ownerId !== ownerId) throw noAlert();
      await transact(async (tx) => {
        await store.markRead(tx, id, clock.now());
        await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
      });
    },

    /** Forgets one's alert and its hits. Refuses `alert.notFound`. */
    async delete(id: string, ownerId: string): Promise<void> {
      await transact(async (tx) => {
        if (!(await store.deleteAlert(tx, id, ownerId))) throw noAlert();
        await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
      });
    },

    /** Holds a ride that was published or changed at `at` against the alerts of passengers, and tells those it fits. */
    rideChanged: async (rideId: string, at: Date): Promise<void> =>
      post(await matches.rideChanged(rideId, at)),
    /** The same for a request and the alerts of drivers. */
    requestChanged: async (requestId: string, at: Date): Promise<void> =>
      post(await matches.requestChanged(requestId, at)),
    /** Orders have ended: they fit no alert any more. */
    ordersEnded: (kind: 'ride' | 'request', ids: readonly string[]): Promise<void> =>
      transact((tx) => store.loseEnded(tx, kind, ids, clock.now())),
    /** Holds a new alert against the orders that stand. */
    async alertSaved(alertId: string): Promise<void> {
      await matches.alertSaved(alertId);
      await post([alertId]);
    },

    /** By the clock: posts emails that have waited for the hour to pass, and forgets alerts that are over. */
    async catchUp(): Promise<void> {
      await post(await emails.due());
      await transact(async (tx) => {
        const owners = await store.removeEnded(tx, clock.now());
        await outbox.tell(tx, [...new Set(owners)], { topic: 'alert', id: '', news: null });
      });
    },
  };
}
