import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { createSeries } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { checkOwned, checkRoom } from '../order-checks.ts';
import { ofBack } from '../order-input.ts';
import { checkFields, checkFieldsBack, type Checked, type Fields } from './check-recurring.ts';
import { orderAt } from './order-of-day.ts';
import { publishDueDays } from './publish-days.ts';
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
