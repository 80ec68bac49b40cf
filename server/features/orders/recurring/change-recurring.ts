import { recurringOrder, type updateSeries } from '#contract/rides/recurring.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, Refusal, refuseField } from '../../../platform/refusal.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { editOrderIn } from '../edit-order.ts';
import { checkOwned } from '../order-checks.ts';
import { hasDay, instantOfDay } from '../rules/recurring-days.ts';
import { cancelDay } from './end-recurring.ts';
import { checkFields, type Fields } from './create-recurring.ts';
import { comingDays, isRunning, lockDays, lockOwn, viewOwn } from './read-recurring.ts';
import { orderAt, publishDueDays } from './publish-days.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';

/**
 * Changes recurring rides and the coming days that no passenger has joined. A day edited by itself stays, and
 * so does one that would then overlap another order; days that could not be published are tried again.
 * Refuses `series.notFound`, `series.over`, `series.role`, and invalid input by its field.
 */
export async function changeRecurring(
  app: App,
  id: string,
  ownerId: string,
  fields: Fields,
): Promise<OutputOf<typeof updateSeries>> {
  const { rule, first } = checkFields(app, fields);
  const counts = await changeOrders(
    app,
    'change recurring',
    async (locked) => {
      const before = await lockOwn(locked, id, ownerId);
      if (before.state === 'ended') throw movedOn('series.over', 'This weekly ride has ended.');
      if (before.template.role !== fields.order.role)
        throw refuseField('series.role', 'order.role', 'You can’t change the role of a weekly ride.');
      await checkOwned(app, locked, ownerId, orderAt(fields.order, first.at));
      const { weekdays, localTime, fromDay, untilDay, timeZone } = rule;
      const columns = { weekdays: [...weekdays], localTime, fromDay, untilDay, timeZone };
      const recurring = await store.setRecurring(await locked.db(), id, {
        ...columns,
        template: fields.order,
      });
      const { days, ...counted } = await changeDays(app, locked, before, recurring);
      await store.dropDays(await locked.db(), id, days.gone);
      await store.putDays(await locked.db(), days.written);
      await publishDueDays(app, locked, recurring);
      locked.emit('recurring.changed', { recurringId: id, ownerId }, id);
      return counted;
    },
    id,
  );
  return { series: await viewOwn(app, id, ownerId), ...counts };
}

/** Day rows to remove or publish again, and to write. */
interface Days {
  gone: string[];
  written: store.DayRow[];
}

/** Applies the change to the coming days that no passenger has joined. */
async function changeDays(
  app: App,
  locked: LockedOrders,
  before: store.RecurringRow,
  recurring: store.RecurringRow,
): Promise<{ changed: number; kept: number; days: Days }> {
  const coming = await comingDays(app, locked, before);
  const running = coming.filter(isRunning);
  await lockDays(locked, recurring, running);
  const refused = coming.filter(({ row }) => row.outcome === 'refused').map(({ row }) => row.day);
  const days: Days = { gone: refused, written: [] };
  let changed = 0;
  for (const { row, state } of running)
    if (state === 'open' && !row.edited && (await changeDay(app, locked, recurring, { row, days })))
      changed += 1;
  return { changed, kept: running.length - changed, days };
}

/**
 * Applies a change of recurring rides to a published day that no passenger has joined; false where the day
 * stays as it was.
 */
async function changeDay(
  app: App,
  locked: LockedOrders,
  recurring: store.RecurringRow,
  { row: { day, orderId }, days }: { row: { day: string; orderId: string }; days: Days },
): Promise<boolean> {
  const rule = ruleOf(recurring);
  const at = instantOfDay(day, rule);
  if (!hasDay(rule, day) || at <= app.clock.now()) {
    if (!(await cancelDay(app, locked, recurring, orderId))) return false;
    days.gone.push(day);
    return true;
  }
  const row = { recurringId: recurring.id, day, outcome: 'published' as const, orderId, edited: false };
  try {
    const order = orderAt(recurringOrder.parse(recurring.template), at);
    const owned = { personId: recurring.ownerId, id: orderId };
    await within(locked, recurring, orderId, () => editOrderIn(app, locked, owned, order));
    days.written.push({ ...row, reason: '' });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    days.written.push({ ...row, reason: error.reason });
    return false;
  }
}

/**
 * Runs the edit of a day so that a refusal undoes it alone. A ride of which no one has asked for a seat is
 * refused before anything of it is changed, and needs no savepoint: such days are written together.
 */
async function within(
  locked: LockedOrders,
  { template: { role } }: store.RecurringRow,
  orderId: string,
  work: () => Promise<void>,
): Promise<void> {
  const ride = role === 'driver' ? await locked.lockRide(orderId) : null;
  if (ride !== null && locked.openBookings(orderId).length === 0) await work();
  else await locked.inSavepoint(work);
}
