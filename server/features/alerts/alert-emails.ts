import { emailEveryMinutes } from '#contract/alerts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { contactDetailsOf } from '../identity/service.ts';
import { emailTerms, unsubscribeLinks } from '../notifications/service.ts';
import { viewHits } from './list-alerts.ts';
import { alertEmail } from './rules/emails.ts';
import * as store from './store.ts';

/** Hits of orders that can't be seen or joined just now are checked again after this. */
const lookAgainMs = hourMs;

/** Sends the emails of alerts. A failure is tried again in the next round and does not block the others. */
export async function postAlertEmails(app: App, alertIds: readonly string[]): Promise<void> {
  for (const id of alertIds)
    await postAlertEmail(app, id).catch((error: unknown) =>
      app.log.error({ err: error, id }, 'an alert email failed'),
    );
}

/** Sends as many of the emails as a round of the scheduler does; the scheduler finds the others due. */
export const postFirstEmails = (app: App, alertIds: readonly string[]): Promise<void> =>
  postAlertEmails(app, alertIds.slice(0, store.mostEmailsAtOnce));

/**
 * Sends one email about all hits of an alert that were in none, unless the last one was sent within the hour
 * or its owner has quiet hours: then the next email has them. Hits in a push message count as emailed.
 * Decided under the lock on the alert, so never twice.
 */
async function postAlertEmail(app: App, alertId: string): Promise<void> {
  const { transact, clock, outbox, env } = app;
  const now = clock.now();
  await transact('post alert email', async (tx) => {
    const alert = await store.lockAlert(tx, alertId);
    if (alert === null) return;
    if (alert.noEmailBefore !== null && alert.noEmailBefore > now)
      return store.lookedForEmail(tx, alertId, alert.noEmailBefore);
    const untold = await store.untold(tx, alertId, now);
    if (untold.length === 0) return store.lookedForEmail(tx, alertId, later(now, lookAgainMs));
    const since = new Date(Math.min(...untold.map(({ hit }) => hit.foundAt.getTime())));
    const about = { userId: alert.ownerId, kind: 'alert', thing: `alert:${alertId}`, since } as const;
    const { isWanted, mayGoOutAt, pushedAt } = await emailTerms(tx, about, now);
    if (isWanted && mayGoOutAt > now) {
      await store.holdEmails(tx, alertId, mayGoOutAt);
      await store.lookedForEmail(tx, alertId, mayGoOutAt);
      return;
    }
    const pushed = untold.filter(({ hit }) => pushedAt !== null && hit.foundAt <= pushedAt);
    const told = pushed.length > 0 ? pushed : untold;
    await store.markEmailed(
      tx,
      told.map(({ hit }) => hit.id),
      now,
    );
    const nextEmailAt = later(now, emailEveryMinutes * minuteMs);
    await store.holdEmails(tx, alertId, nextEmailAt);
    await store.lookedForEmail(tx, alertId, nextEmailAt);
    // The push message was the message of this hour; hits that came after it are in the next one.
    if (!isWanted || pushed.length > 0) return;
    const owner = (await contactDetailsOf(app, [alert.ownerId], tx)).get(alert.ownerId);
    if (owner === undefined) return;
    const email = alertEmail(owner.language, {
      role: alert.role,
      from: alert.fromName,
      to: alert.toName,
      timeZone: alert.timeZone,
      hits: await viewHits(app, untold, alert.ownerId),
      url: env.publicUrl,
    });
    const unsubscribe = await unsubscribeLinks(app, 'alert', alert.ownerId);
    await outbox.post(tx, { to: owner.email, ...email, unsubscribe });
  });
}

/** Scheduled: sends emails that have waited for the hour to pass, and deletes alerts that are over. */
export async function catchUp(app: App): Promise<void> {
  const { db, transact, clock, outbox } = app;
  await postAlertEmails(app, await store.dueEmails(db, clock.now()));
  await transact('remove ended alerts', async (tx) => {
    const owners = await store.removeEnded(tx, clock.now());
    await outbox.tell(tx, [...new Set(owners)], { topic: 'alert', id: '', news: null });
  });
}
