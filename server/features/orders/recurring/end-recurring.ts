import { changeOrders } from '../aggregate/locked-orders.ts';
import type { OutputOf } from '#contract/define.ts';
import type { endSeries } from '#contract/rides/recurring.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { EditContext } from '../edit-order.ts';
import { cancelDay } from './cancel-day.ts';
import { comingDays, isRunning, lockDays } from './coming-days.ts';
import { lockOwn, viewOwn } from './read-recurring.ts';
import * as store from './store.ts';

/**
 * Ends recurring rides; cancels coming days that no passenger has joined. Refuses `series.notFound`,
 * `series.over`.
 */
export async function endRecurring(
  context: EditContext,
  id: string,
  ownerId: string,
): Promise<OutputOf<typeof endSeries>> {
  const { platform } = context;
  const counts = await changeOrders(
    platform,
    async (tx) => {
      const recurring = await lockOwn(tx, id, ownerId);
      if (recurring.state === 'ended') throw movedOn('series.over', 'This weekly ride has ended.');
      const days = (await comingDays(platform, tx, recurring)).filter(isRunning);
      await lockDays(tx, recurring, days);
      let [canceled, kept] = [0, 0];
      for (const day of days)
        if (day.state === 'open' && (await cancelDay(context, tx, recurring, day.row.orderId))) canceled += 1;
        else kept += 1;
      await store.setRecurring(await tx.db(), id, {
        state: 'ended',
        endedAt: platform.clock.now(),
        dueAt: null,
      });
      tx.emit('recurring.changed', { recurringId: id, ownerId }, id);
      return { canceled, kept };
    },
    id,
  );
  return { series: await viewOwn(platform, id, ownerId), ...counts };
}
