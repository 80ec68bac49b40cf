import type { Series } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { notFound } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { calendarDay } from '../rules/recurring-days.ts';
import { ordersOf } from './coming-days.ts';
import * as store from './store.ts';
import { viewRecurring } from './view.ts';

const recurringNotFound = () => notFound('series.notFound', 'We couldn’t find this weekly ride.');

/** One's own recurring rides that run. */
export const listRecurring = async (app: App, ownerId: string): Promise<{ series: Series[] }> => ({
  series: await viewAll(app, await store.recurringOf(app.db, ownerId)),
});

/** The owner's recurring rides by id, ended ones included. Refuses `series.notFound`. */
export const recurringDetail = async (
  app: App,
  id: string,
  ownerId: string,
): Promise<{ series: Series }> => ({ series: await viewOwn(app, id, ownerId) });

/** The owner's view of their recurring rides. Refuses `series.notFound`. */
export async function viewOwn(app: App, id: string, ownerId: string): Promise<Series> {
  const rows = await store.recurringOf(app.db, ownerId, id);
  if (rows.length === 0) throw recurringNotFound();
  return (await viewAll(app, rows))[0]!;
}

/**
 * Reads the owner's recurring rides under a row lock until the transaction ends. Refuses `series.notFound`.
 */
export async function lockOwn(
  locked: LockedOrders,
  id: string,
  ownerId: string,
): Promise<store.RecurringRow> {
  const recurring = await store.lockRecurring(await locked.db(), id);
  if (recurring === null || recurring.ownerId !== ownerId) throw recurringNotFound();
  return recurring;
}

async function viewAll({ db, clock }: App, rows: readonly store.RecurringRow[]): Promise<Series[]> {
  const now = clock.now();
  // Days are local to the departure place; starting a day earlier covers every zone.
  const yesterday = calendarDay(later(now, -dayMs), 'UTC');
  const days = await store.daysOf(
    db,
    rows.map(({ id }) => id),
    yesterday,
  );
  const dayOrders = await ordersOf(db, days);
  return Promise.all(
    rows.map(async (row) => {
      const paired = await store.pairedRecurring(db, row);
      const pairedId = paired?.state === 'running' ? paired.id : null;
      return viewRecurring(row, { days, orders: dayOrders, pairedId, now });
    }),
  );
}
