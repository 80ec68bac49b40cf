import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { skipDay as skipCall } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import { changeOrders } from '../aggregate/locked-orders.ts';
import { hasDay, instantOfDay } from '../rules/recurring-days.ts';
import { cancelDay } from './cancel-day.ts';
import { comingDays } from './coming-days.ts';
import { publishDueDays } from './publish-days.ts';
import { lockOwn, viewOwn } from './read-recurring.ts';
import * as store from './store.ts';
import { ruleOf } from './view.ts';

/**
 * Skips a day, or publishes it after all. Refuses `series.notFound`, `series.noDay`, and `series.dayMatched`
 * where a passenger has joined.
 */
export async function skipDay(
  app: App,
  { id, day, skip }: z.output<typeof skipCall.input>,
  ownerId: string,
): Promise<OutputOf<typeof skipCall>> {
  await changeOrders(
    app,
    'skip day',
    async (tx) => {
      const recurring = await lockOwn(tx, id, ownerId);
      const rule = ruleOf(recurring);
      const known = (await comingDays(app, tx, recurring)).find(({ row }) => row.day === day);
      const isToCome = hasDay(rule, day) && instantOfDay(day, rule) > app.clock.now();
      if (recurring.state === 'ended' || (known === undefined && !isToCome))
        throw notFound('series.noDay', 'This weekly ride has no such day.');
      const state = known?.state ?? 'planned';
      if (skip) {
        const orderId = state === 'open' ? (known?.row.orderId ?? null) : null;
        const isFree = orderId === null ? state !== 'matched' : await cancelDay(app, tx, recurring, orderId);
        if (!isFree || state === 'over')
          throw movedOn(
            'series.dayMatched',
            'A rider joined you that day. Please cancel that ride on its own.',
          );
        const row = { recurringId: id, day, orderId: null, edited: false, reason: '' };
        await store.putDay(await tx.db(), { ...row, outcome: 'skipped' });
      } else if (isToCome && ['skipped', 'refused', 'canceled'].includes(state)) {
        await store.dropDays(await tx.db(), id, [day]);
      }
      await publishDueDays(app, tx, recurring);
    },
    id,
  );
  return { series: await viewOwn(app, id, ownerId) };
}
