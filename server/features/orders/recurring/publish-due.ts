import type { OrderContext } from '../context.ts';
import { instantOfDay } from '../rules/recurring-days.ts';
import { refusedEmail } from '../rules/recurring-email.ts';
import { publishDueDays } from './publish-days.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';

/** Publishes the due days of all recurring rides. Owners are notified of days that could not be published. */
export async function publishDue(context: OrderContext): Promise<void> {
  const { db, clock, log } = context.platform;
  for (const id of await store.dueRecurring(db, clock.now())) {
    // A failure is tried again in the next round and does not block the others.
    await changeOrders(
      context.platform,
      async (locked) => {
        const recurring = await store.claimRecurring(await locked.db(), id);
        if (recurring?.dueAt == null || recurring.dueAt > clock.now()) return;
        const refused = await publishDueDays(context, locked, recurring);
        if (refused.length > 0) await reportRefused(context, locked, recurring, refused);
      },
      id,
    ).catch((error: unknown) => log.error({ err: error, id }, 'a series failed'));
  }
}

/** Notifies the owner, by email and in the app, of days that could not be published. */
async function reportRefused(
  { platform }: OrderContext,
  locked: LockedOrders,
  recurring: store.RecurringRow,
  refused: readonly string[],
): Promise<void> {
  const { id, ownerId, timeZone } = recurring;
  const owner = (await contactDetailsOf(platform, [ownerId])).get(ownerId);
  const link = `${platform.env.publicUrl}/pages/order/series?id=${id}`;
  const days = refused.map((day) => instantOfDay(day, ruleOf(recurring)));
  if (owner !== undefined)
    await platform.outbox.post(await locked.db(), {
      to: owner.email,
      ...refusedEmail(owner.language, { days, timeZone, link }),
    });
  await platform.outbox.tell(await locked.db(), [ownerId], { topic: 'order', id, news: 'series.refused' });
}
