import { seatedStates } from '#contract/rides/moves.ts';
import { recurringOrder, type Series } from '#contract/rides/recurring.ts';
import { calendarDay, daysAfter, instantOfDay, type DaysRule } from '../rules/recurring-days.ts';
import { requestEdit, rideEdit } from '../rules/edit-rules.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';
import type { DayRow, RecurringRow } from './store.ts';

export type DayState = Series['days'][number]['state'];

export const ruleOf = ({ weekdays, localTime, fromDay, untilDay, timeZone }: RecurringRow): DaysRule => ({
  weekdays,
  localTime,
  fromDay,
  untilDay,
  timeZone,
});

/** The orders of some days, with the bookings of each. */
export interface DayOrders {
  rides: ReadonlyMap<string, RideRow>;
  requests: ReadonlyMap<string, RequestRow>;
  bookings: readonly BookingRow[];
}

export function dayState(row: DayRow, { rides, requests, bookings }: DayOrders): DayState {
  if (row.outcome !== 'published') return row.outcome;
  const [ride, request] = [rides.get(row.orderId ?? ''), requests.get(row.orderId ?? '')];
  const order = ride ?? request;
  if (order === undefined || order.state === 'cancel') return 'canceled';
  const own = bookings.filter(({ rideId, requestId }) => rideId === order.id || requestId === order.id);
  const edit = ride === undefined ? requestEdit(request!.state, own) : rideEdit(ride.state, own);
  if (edit === 'all') return 'open';
  return order.endedAt === null || own.some(({ state }) => seatedStates.includes(state)) ? 'matched' : 'over';
}

/** The owner's view of recurring rides, with every day from today on. */
export function viewRecurring(
  row: RecurringRow,
  of: { days: readonly DayRow[]; orders: DayOrders; pairedId: string | null; now: Date },
): Series {
  const rule = ruleOf(row);
  const order = recurringOrder.parse(row.template);
  const today = calendarDay(of.now, row.timeZone);
  const done = of.days.filter(({ recurringId, day }) => recurringId === row.id && day >= today);
  const planned = row.state === 'running' ? daysAfter(rule, of.now) : [];
  const { weekdays, localTime, fromDay, untilDay } = row;
  return {
    id: row.id,
    role: order.role,
    state: row.state,
    order,
    rule: { weekdays, localTime, fromDay, untilDay },
    timeZone: row.timeZone,
    pairedId: of.pairedId,
    days: [
      ...done.map((each) => ({
        day: each.day,
        at: instantOfDay(each.day, rule).toISOString(),
        state: dayState(each, of.orders),
        orderId: each.orderId,
        edited: each.edited,
        reason: each.reason,
      })),
      ...planned
        .filter(({ day }) => !done.some((each) => each.day === day))
        .map(({ day, at }) => ({
          day,
          at: at.toISOString(),
          state: 'planned' as const,
          orderId: null,
          edited: false,
          reason: '',
        })),
    ].toSorted((a, b) => a.day.localeCompare(b.day)),
  };
}
