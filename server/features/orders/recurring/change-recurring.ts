import { recurringOrder, type updateSeries } from '#contract/rides/recurring.ts';
import type { OutputOf } from '#contract/define.ts';
import { inSavepoint, type Db } from '../../../platform/database/db.ts';
import { movedOn, Refusal, refuseField } from '../../../platform/refusal.ts';
import { editOrderIn, type EditContext } from '../edit-order.ts';
import { hasDay, instantOfDay } from '../rules/recurring-days.ts';
import { cancelDay } from './cancel-day.ts';
import { checkFields, checkOwned, type Fields } from './check-recurring.ts';
import { comingDays, isRunning } from './coming-days.ts';
import { orderAt } from './order-of-day.ts';
import { publishDueDays } from './publish-days.ts';
import { lockOwn, viewOwn } from './read-recurring.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';

/**
 * Changes recurring rides and the coming days that no passenger has joined. A day edited by itself stays, and
 * so does one that would then overlap another order; days that could not be published are tried again.
 * Refuses `series.notFound`, `series.over`, `series.role`, and invalid input by its field.
 */
export async function changeRecurring(
  context: EditContext,
  id: string,
  ownerId: string,
  fields: Fields,
): Promise<OutputOf<typeof updateSeries>> {
  const { platform } = context;
  const { rule, first } = checkFields(context, fields);
  const counts = await platform.transact(async (tx) => {
    const before = await lockOwn(tx, id, ownerId);
    if (before.state === 'ended') throw movedOn('series.over', 'This weekly ride has ended.');
    if (before.template.role !== fields.order.role)
      throw refuseField('series.role', 'order.role', 'You can’t change the role of a weekly ride.');
    await checkOwned(context, tx, { ownerId, at: first.at }, fields.order);
    const { weekdays, localTime, fromDay, untilDay, timeZone } = rule;
    const columns = { weekdays: [...weekdays], localTime, fromDay, untilDay, timeZone };
    const recurring = await store.setRecurring(tx, id, { ...columns, template: fields.order });
    let [changed, kept] = [0, 0];
    for (const day of await comingDays(platform, tx, before)) {
      if (day.row.outcome === 'refused') await store.dropDay(tx, id, day.row.day);
      if (!isRunning(day)) continue;
      const follows =
        day.state === 'open' && !day.row.edited && (await changeDay(context, tx, recurring, day.row));
      if (follows) changed += 1;
      else kept += 1;
    }
    await publishDueDays(context, tx, recurring);
    return { changed, kept };
  });
  return { series: await viewOwn(platform, id, ownerId), ...counts };
}

/**
 * Applies a change of recurring rides to a published day that no passenger has joined; false where the day
 * stays as it was.
 */
async function changeDay(
  context: EditContext,
  tx: Db,
  recurring: store.RecurringRow,
  { day, orderId }: { day: string; orderId: string },
): Promise<boolean> {
  const rule = ruleOf(recurring);
  const at = instantOfDay(day, rule);
  if (!hasDay(rule, day) || at <= context.platform.clock.now()) {
    if (!(await cancelDay(context, tx, recurring, orderId))) return false;
    await store.dropDay(tx, recurring.id, day);
    return true;
  }
  const row = { seriesId: recurring.id, day, outcome: 'published' as const, orderId, edited: false };
  try {
    const order = orderAt(recurringOrder.parse(recurring.template), at);
    await inSavepoint(tx, (inner) =>
      editOrderIn(context, inner, { personId: recurring.ownerId, id: orderId }, order),
    );
    await store.putDay(tx, { ...row, reason: '' });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await store.putDay(tx, { ...row, reason: error.reason });
    return false;
  }
}
