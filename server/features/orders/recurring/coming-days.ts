import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { calendarDay } from '../rules/recurring-days.ts';
import * as orders from '../store.ts';
import * as store from './store.ts';
import { dayState, type DayOrders, type DayState } from './view.ts';

/** A day of recurring rides that was published, refused or skipped, with its order. */
export interface ComingDay {
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
export async function ordersOf(db: Db, days: readonly store.DayRow[]): Promise<DayOrders> {
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
