import type { App } from '../../../app-type.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { instantOfDay } from '../rules/recurring-days.ts';
import { refusedEmail } from '../rules/recurring-email.ts';
import { publishDueDays } from './publish-days.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';

/** Publishes the due days of all recurring rides. Owners are notified of days that could not be published. */
export async function publishDue(app: App): Promise<void> {
  const { db, clock, log } = app;
  for (const id of await store.dueRecurring(db, clock.now())) {
    // A failure is tried again in the next round and does not block the others.
    await changeOrders(
      app,
      'publish due',
      async (locked) => {
        const recurring = await store.claimRecurring(await locked.db(), id);
        if (recurring?.dueAt == null || recurring.dueAt > clock.now()) return;
        const refused = await publishDueDays(app, locked, recurring);
        if (refused.length > 0) await reportRefused(app, locked, recurring, refused);
      },
      id,
    ).catch((error: unknown) => log.error({ err: error, id }, 'a series failed'));
  }
}

/** Notifies the owner, by email and in the app, of days that could not be published. */
async function reportRefused(
  app: App,
  locked: LockedOrders,
  recurring: store.RecurringRow,
  refused: readonly string[],
): Promise<void> {
  const { id, ownerId, timeZone } = recurring;
  const owner = (await contactDetailsOf(app, [ownerId], await locked.db())).get(ownerId);
  const link = `${app.env.publicUrl}/pages/order/series?id=${id}`;
  const days = refused.map((day) => instantOfDay(day, ruleOf(recurring)));
  if (owner !== undefined)
    await app.outbox.post(await locked.db(), {
      to: owner.email,
      ...refusedEmail(owner.language, { days, timeZone, link }),
    });
  await app.outbox.tell(await locked.db(), [ownerId], { topic: 'order', id, news: 'series.refused' });
}
