import type { OutputOf } from '#contract/define.ts';
import type { endSeries } from '#contract/rides/recurring.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { changeOrders } from '../aggregate/locked-orders.ts';
import { cancelDay } from './cancel-day.ts';
import { comingDays, isRunning, lockDays } from './coming-days.ts';
import { lockOwn, viewOwn } from './read-recurring.ts';
import * as store from './store.ts';

/**
 * Ends recurring rides; cancels coming days that no passenger has joined. Refuses `series.notFound`,
 * `series.over`.
 */
export async function endRecurring(
  app: App,
  id: string,
  ownerId: string,
): Promise<OutputOf<typeof endSeries>> {
  const counts = await changeOrders(
    app,
    'end recurring',
    async (tx) => {
      const recurring = await lockOwn(tx, id, ownerId);
      if (recurring.state === 'ended') throw movedOn('series.over', 'This weekly ride has ended.');
      const days = (await comingDays(app, tx, recurring)).filter(isRunning);
      await lockDays(tx, recurring, days);
      let [canceled, kept] = [0, 0];
      for (const day of days)
        if (day.state === 'open' && (await cancelDay(app, tx, recurring, day.row.orderId))) canceled += 1;
        else kept += 1;
      await store.setRecurring(await tx.db(), id, {
        state: 'ended',
        endedAt: app.clock.now(),
        dueAt: null,
      });
      tx.emit('recurring.changed', { recurringId: id, ownerId }, id);
      return { canceled, kept };
    },
    id,
  );
  return { series: await viewOwn(app, id, ownerId), ...counts };
}
