import { publishAheadDays, recurringOrder } from '#contract/rides/recurring.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { inSavepoint, type Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { OrderContext } from '../context.ts';
import { publishOrder } from '../publish-order.ts';
import { daysAfter, endOfRecurring, type RecurringDay } from '../rules/recurring-days.ts';
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
  context: OrderContext,
  tx: Db,
  recurring: store.RecurringRow,
): Promise<string[]> {
  const rule = ruleOf(recurring);
  const now = context.platform.clock.now();
  const horizon = later(now, publishAheadDays * dayMs);
  const known = await store.daysOf(tx, [recurring.id], recurring.fromDay);
  const done = new Set(known.map(({ day }) => day));
  const ahead = daysAfter(rule, now).filter(({ day }) => !done.has(day));
  const refused: string[] = [];
  for (const each of ahead.filter(({ at }) => at <= horizon))
    if (!(await publishDay(context, tx, recurring, each))) refused.push(each.day);
  const next = ahead.find(({ at }) => at > horizon);
  const dueAt = next === undefined ? endOfRecurring(rule) : later(next.at, -publishAheadDays * dayMs);
  await store.setRecurring(
    tx,
    recurring.id,
    dueAt <= now ? { state: 'ended', endedAt: now, dueAt: null } : { dueAt },
  );
  return refused;
}

/** Publishes one day, or stores why it cannot be published. */
async function publishDay(
  context: OrderContext,
  tx: Db,
  recurring: store.RecurringRow,
  { day, at }: RecurringDay,
): Promise<boolean> {
  const row = { seriesId: recurring.id, day, orderId: null, edited: false, reason: '' };
  const order = orderAt(recurringOrder.parse(recurring.template), at);
  try {
    // In a savepoint, so that a refused day leaves the transaction usable for the others.
    const published = await inSavepoint(tx, (inner) =>
      publishOrder(context, recurring.ownerId, order, {
        within: (work) => work(inner),
        together: { seriesId: recurring.id },
      }),
    );
    const orderId = 'ride' in published ? published.ride.id : published.request.id;
    await store.putDay(tx, { ...row, outcome: 'published', orderId });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await store.putDay(tx, { ...row, outcome: 'refused', reason: error.reason });
    return false;
  }
}
