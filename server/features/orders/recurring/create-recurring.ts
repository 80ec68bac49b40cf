import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { createSeries, seriesFields } from '#contract/rides/recurring.ts';
import { planAheadDays } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { timeZoneAt } from '../../geo/service.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { checkOwned, checkRoom } from '../order-checks.ts';
import { ofBack, checkBack } from '../order-input.ts';
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
import { orderAt, publishDueDays } from './publish-days.ts';
import { viewOwn } from './read-recurring.ts';
import * as store from './store.ts';

/**
 * Sets up recurring rides, or two for outbound and return, and publishes the days that are due. Refused days
 * are in the answer. A return that leaves earlier by the clock than the outbound is on the day after.
 */
export async function createRecurring(
  app: App,
  ownerId: string,
  { series: fields, back }: z.output<typeof createSeries.input>,
): Promise<OutputOf<typeof createSeries>> {
  const there = checkFields(app, fields);
  const home =
    back === null ? null : await ofBack(() => checkFieldsBack(app, { fields, checked: there }, back));
  const pairId = back === null ? null : randomUUID();
  const pairedDaysLater = home?.daysLater ?? 0;
  const ids = await changeOrders(
    app,
    'create recurring',
    async (locked) => {
      const first = await insert(app, locked, fields, { ...there, ownerId, pairId, pairedDaysLater });
      if (back === null || home === null) return [first.id];
      const second = await ofBack(() =>
        insert(app, locked, back, { ...home, ownerId, pairId, pairedDaysLater: -pairedDaysLater }),
      );
      return [first.id, second.id];
    },
    ownerId,
  );
  return { series: await Promise.all(ids.map((id) => viewOwn(app, id, ownerId))) };
}

async function insert(
  app: App,
  locked: LockedOrders,
  { order }: Fields,
  of: Checked & Pick<store.RecurringRow, 'ownerId' | 'pairId' | 'pairedDaysLater'>,
): Promise<store.RecurringRow> {
  const { rule, first, ownerId, pairId, pairedDaysLater } = of;
  await checkRoom(locked, ownerId);
  await checkOwned(app, locked, ownerId, orderAt(order, first.at));
  const now = app.clock.now();
  const { weekdays, localTime, fromDay, untilDay, timeZone } = rule;
  const recurring = await store.insertRecurring(await locked.db(), {
    id: randomUUID(),
    ownerId,
    state: 'running',
    template: order,
    timeZone,
    weekdays: [...weekdays],
    localTime,
    fromDay,
    untilDay,
    pairId,
    pairedDaysLater,
    dueAt: now,
    createdAt: now,
  });
  await publishDueDays(app, locked, recurring);
  const { id: recurringId } = recurring;
  locked.emit('recurring.changed', { recurringId, ownerId }, recurringId);
  return recurring;
}

export type Fields = z.output<typeof seriesFields>;

/** Recurring rides that passed the checks: their days, and the first coming one. */
interface Checked {
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
function checkFieldsBack(
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
