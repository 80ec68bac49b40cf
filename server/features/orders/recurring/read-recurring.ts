import type { Series } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notFound } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { calendarDay, dayLater } from '../rules/recurring-days.ts';
import * as orders from '../store.ts';
import * as store from './store.ts';
import { viewRecurring, dayState, type DayOrders, type DayState } from './view.ts';

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

/** A day of recurring rides that was published, refused or skipped, with its order. */
interface ComingDay {
  row: store.DayRow;
  state: DayState;
}

/** The coming days that were published, refused or skipped, each with its order's state. */
export async function comingDays(
  { clock }: App,
  locked: LockedOrders,
  recurring: store.RecurringRow,
): Promise<ComingDay[]> {
  const days = await store.daysOf(
    await locked.db(),
    [recurring.id],
    calendarDay(clock.now(), recurring.timeZone),
  );
  const dayOrders = await ordersOf(await locked.db(), days);
  return days.map((row) => ({ row, state: dayState(row, dayOrders) }));
}

/** Whether a day is an order that has not ended. */
export const isRunning = (day: ComingDay): day is ComingDay & { row: { orderId: string } } =>
  day.row.orderId !== null && (day.state === 'open' || day.state === 'matched');

/** Locks the rides of days that may change, together; requests are locked one by one. */
export async function lockDays(
  locked: LockedOrders,
  { template: { role } }: store.RecurringRow,
  days: readonly { row: { orderId: string }; state: DayState }[],
): Promise<void> {
  const open = days.filter(({ state }) => state === 'open');
  if (role === 'driver') await locked.lockRides(open.map(({ row }) => row.orderId));
}

/** The orders of these days, with their bookings. */
async function ordersOf(db: Db, days: readonly store.DayRow[]): Promise<DayOrders> {
  const ids = days.flatMap(({ orderId }) => orderId ?? []);
  // Sequential: a transaction has one connection.
  const rides = await orders.ridesByIds(db, ids);
  const requests = await orders.requestsByIds(db, ids);
  const bookings = await orders.bookingsOf(db, { rideIds: ids, requestIds: ids });
  return {
    rides: new Map(rides.map((row) => [row.id, row])),
    requests: new Map(requests.map((row) => [row.id, row])),
    bookings,
  };
}

/**
 * The recurring rides whose day an order is, and the paired outbound or return order; null where there is
 * none.
 */
export async function pairOfOrder(
  db: Db,
  role: 'driver' | 'passenger',
  row: { id: string; pairId: string | null; recurringId: string | null },
): Promise<{ pairedId: string | null; series: { id: string; day: string } | null }> {
  if (row.recurringId === null) return { pairedId: await store.pairedOrder(db, role, row), series: null };
  const [own, recurring] = await Promise.all([
    store.dayOfOrder(db, row.id),
    store.recurringById(db, row.recurringId),
  ]);
  if (own === null || recurring === null) return { pairedId: null, series: null };
  const paired = await store.pairedRecurring(db, recurring);
  const pairedDay = dayLater(own.day, recurring.pairedDaysLater);
  const pairedId = paired === null ? null : await store.orderOfDay(db, paired.id, pairedDay);
  return { pairedId, series: { id: recurring.id, day: own.day } };
}
