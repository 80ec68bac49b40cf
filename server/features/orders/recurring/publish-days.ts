import { publishAheadDays, recurringOrder } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { publishDays, type WrittenOrder } from '../publish-order.ts';
import { calendarDay, daysAfter, endOfRecurring } from '../rules/recurring-days.ts';
import { orderAt } from './order-of-day.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';

/**
 * Publishes every due day and sets when the next is due; recurring rides whose last day is over end. Called
 * under the lock on them. Past days are left out: no passenger could join them.
 *
 * @returns the days that could not be published
 */
export async function publishDueDays(
  app: App,
  locked: LockedOrders,
  recurring: store.RecurringRow,
): Promise<string[]> {
  const rule = ruleOf(recurring);
  const now = app.clock.now();
  const horizon = later(now, publishAheadDays * dayMs);
  const known = await store.daysOf(await locked.db(), [recurring.id], calendarDay(now, rule.timeZone));
  const done = new Set(known.map(({ day }) => day));
  const ahead = daysAfter(rule, now).filter(({ day }) => !done.has(day));
  const days = ahead.filter(({ at }) => at <= horizon);
  const template = recurringOrder.parse(recurring.template);
  const published = await publishDays(app, locked, recurring.ownerId, {
    orders: days.map(({ at }) => orderAt(template, at)),
    recurringId: recurring.id,
  });
  const rows = days.map(({ day }, index) => rowOf({ recurringId: recurring.id, day }, published[index]!));
  await store.putDays(await locked.db(), rows);
  const next = ahead.find(({ at }) => at > horizon);
  const dueAt = next === undefined ? endOfRecurring(rule) : later(next.at, -publishAheadDays * dayMs);
  const isOver = dueAt <= now;
  await store.setRecurring(
    await locked.db(),
    recurring.id,
    isOver ? { state: 'ended', endedAt: now, dueAt: null } : { dueAt },
  );
  const { id: recurringId, ownerId } = recurring;
  if (isOver) locked.emit('recurring.changed', { recurringId, ownerId }, recurringId);
  return rows.flatMap(({ day, outcome }) => (outcome === 'refused' ? [day] : []));
}

/** A day that was published, or why it was not. */
function rowOf(of: { recurringId: string; day: string }, published: WrittenOrder | Refusal): store.DayRow {
  const row = { ...of, edited: false };
  if (published instanceof Refusal)
    return { ...row, outcome: 'refused', orderId: null, reason: published.reason };
  const { id } = 'ride' in published ? published.ride : published.request;
  return { ...row, outcome: 'published', orderId: id, reason: '' };
}
