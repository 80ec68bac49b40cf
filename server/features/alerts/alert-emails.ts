import { letterEveryMinutes, type AlertHit } from '#contract/alerts/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { later, minuteMs } from '../../platform/clock.ts';
import type { IdentityService } from '../identity/service.ts';
import type { NotificationsService } from '../notifications/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { alertEmail } from './rules/emails.ts';
import * as store from './store.ts';
import { viewHit } from './view.ts';

/** Hits as their owner sees them, and the emails about them. */
export function createAlertEmails(
  { db, transact, clock, outbox, env }: Platform,
  identity: IdentityService,
  rides: OrdersService,
  notifications: NotificationsService,
) {
  /** Hits in the order given, with their orders as exact as the viewer may know them. */
  async function viewsOf(hits: readonly store.StandingHit[], viewerId: string): Promise<AlertHit[]> {
    const [rideViews, requestViews] = await Promise.all([
      rides.rideViews(
        hits.flatMap(({ ride }) => ride ?? []),
        viewerId,
      ),
      rides.requestViews(
        hits.flatMap(({ request }) => request ?? []),
        viewerId,
      ),
    ]);
    const orders = new Map<string, AlertHit['order']>(
      [...rideViews, ...requestViews].map((order) => [order.id, order]),
    );
    return hits.map(({ hit }) => viewHit(hit, orders.get((hit.rideId ?? hit.requestId)!)!));
  }

  /**
   * Posts one email about everything found for an alert that no email has told yet, unless the last one was a short
   * while ago or its owner has quiet hours: what is left out now stands in the next one. Decided under the lock on the
   * alert, so never twice.
   */
  async function post(alertId: string): Promise<void> {
    const now = clock.now();
    await transact(async (tx) => {
      const alert = await store.lockAlert(tx, alertId);
      if (alert === null || (alert.noLetterBefore !== null && alert.noLetterBefore > now)) return;
      const untold = await store.untold(tx, alertId, now);
      if (untold.length === 0) return;
      const { isWanted, mayGoOutAt } = await notifications.letterTerms(tx, alert.ownerId, 'alert', now);
      if (isWanted && mayGoOutAt > now) {
        await store.holdLetters(tx, alertId, mayGoOutAt);
        return;
      }
      await store.markLettered(
        tx,
        untold.map(({ hit }) => hit.id),
        now,
      );
      await store.holdLetters(tx, alertId, later(now, letterEveryMinutes * minuteMs));
      if (!isWanted) return;
      const owner = (await identity.contactDetails([alert.ownerId])).get(alert.ownerId);
      if (owner === undefined) return;
      const email = alertEmail(owner.language, {
        role: alert.role,
        from: alert.fromName,
        to: alert.toName,
        timeZone: alert.timeZone,
        hits: await viewsOf(untold, alert.ownerId),
        url: env.publicUrl,
      });
      const unsubscribe = await notifications.endingOf('alert', alert.ownerId);
      await outbox.post(tx, { to: owner.email, ...email, unsubscribe });
    });
  }

  return {
    viewsOf,
    post,
    /** Alerts about which an email is due. */
    due: (): Promise<string[]> => store.dueLetters(db, clock.now()),
  };
}
