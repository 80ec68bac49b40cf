import { publishAheadDays, recurringOrder, type RecurringOrder } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import type { RequestInput, RideInput } from '../order-input.ts';
import { publishDays, type WrittenOrder } from '../publish-order.ts';
import { instantOfDay, calendarDay, daysAfter, endOfRecurring } from '../rules/recurring-days.ts';
import { refusedEmail } from '../rules/recurring-email.ts';
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

/** The order of one day of recurring rides, as input for publishing. */
export function orderAt(template: RecurringOrder, at: Date): RideInput | RequestInput {
  if (template.role === 'driver') return { ...template, departsAt: at.toISOString(), eventId: null };
  const { flexMinutes, ...order } = template;
  const shifted = (minutes: number) => later(at, minutes * minuteMs).toISOString();
  return { ...order, earliestAt: shifted(-flexMinutes), latestAt: shifted(flexMinutes), eventId: null };
}
