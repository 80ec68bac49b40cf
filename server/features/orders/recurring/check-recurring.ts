import type { z } from 'zod';
import type { seriesFields } from '#contract/rides/recurring.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { timeZoneAt } from '../../geo/service.ts';
import { checkBack } from '../order-input.ts';
import {
  calendarDay,
  dayLater,
  daysAfter,
  instantOfDay,
  isBackOnDayAfter,
  onDaysAfter,
  type DaysRule,
  type RecurringDay,
} from '../rules/recurring-days.ts';
import { timeOf } from '../sound-order.ts';
import { orderAt } from './order-of-day.ts';

export type Fields = z.output<typeof seriesFields>;

/** Recurring rides that passed the checks: their days, and the first coming one. */
export interface Checked {
  rule: DaysRule;
  first: RecurringDay;
}

/**
 * Checks the input as far as possible without the database. Refuses `series.tooFar`, `series.noDay`, and what
 * publishing the first day would refuse.
 *
 * @param place moves the entered days, for a return on the day after
 */
export function checkFields(
  app: App,
  { order, rule: fields }: Fields,
  place: (entered: DaysRule) => DaysRule = (entered) => entered,
): Checked {
  const entered = { ...fields, timeZone: timeZoneAt(order.from.lon, order.from.lat) };
  const now = app.clock.now();
  const last = calendarDay(later(now, planAheadDays * dayMs), entered.timeZone);
  if (entered.untilDay > last)
    throw refuseField(
      'series.tooFar',
      'rule.untilDay',
      `Please select a last day within the next ${planAheadDays} days.`,
    );
  const rule = place(entered);
  const [first] = daysAfter(rule, now);
  if (first === undefined)
    throw refuseField('series.noDay', 'rule.untilDay', 'There’s no such day in this period.');
  // A refused price or place would be refused on every day: refused here, once.
  timeOf(app, orderAt(order, first.at));
  return { rule, first };
}

/**
 * Checks the return against the outbound. A return that leaves earlier by the clock is on the day after: a
 * night shift.
 */
export function checkFieldsBack(
  app: App,
  there: { fields: Fields; checked: Checked },
  back: Fields,
): Checked & { daysLater: number } {
  const { day } = there.checked.first;
  let daysLater = 0;
  const checked = checkFields(app, back, (entered) => {
    daysLater = isBackOnDayAfter(there.checked.rule, entered, day) ? 1 : 0;
    return daysLater === 1 ? onDaysAfter(entered, day) : entered;
  });
  const onDay = ({ order }: Fields, on: string, rule: DaysRule) => ({
    role: order.role,
    taken: timeOf(app, orderAt(order, instantOfDay(on, rule))),
  });
  checkBack(
    onDay(there.fields, day, there.checked.rule),
    onDay(back, dayLater(day, daysLater), checked.rule),
  );
  return { ...checked, daysLater };
}
