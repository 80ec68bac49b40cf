import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { endSeries, skipDay as skipCall } from '#contract/rides/recurring.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import { changeOrders, type LockedOrders } from '../aggregate/locked-orders.ts';
import { closeAsks, settleRequests } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveRide, moveRequest } from '../decide/moves.ts';
import { hasDay, instantOfDay } from '../rules/recurring-days.ts';
import * as orders from '../store.ts';
import { publishDueDays } from './publish-days.ts';
import { comingDays, isRunning, lockDays, lockOwn, viewOwn } from './read-recurring.ts';
import * as store from './store.ts';
import type { RecurringRow } from './store.ts';
import { ruleOf } from './view.ts';

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

const isSeated = ({ state }: orders.BookingRow): boolean => seatedStates.includes(state);

/**
 * Cancels a day's order; false where a passenger has joined it. Called under the lock on the recurring rides.
 */
export const cancelDay = (
  app: App,
  locked: LockedOrders,
  recurring: RecurringRow,
  orderId: string,
): Promise<boolean> =>
  recurring.template.role === 'driver'
    ? cancelRide(app, locked, recurring, orderId)
    : cancelRequest(app, locked, recurring, orderId);

async function cancelRide(
  app: App,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  rideId: string,
): Promise<boolean> {
  const { clock } = app;
  const by: By = { actor: 'driver', actorId: ownerId };
  const ride = await locked.lockRide(rideId);
  if (ride === null) return false;
  const bookings = locked.openBookings(rideId);
  if (bookings.some(isSeated)) return false;
  moveRide(app, locked, ride, { move: 'cancel', by, set: { endedAt: clock.now() } });
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
  locked.spans.free(rideId);
  settleRequests(app, locked, bookings);
  return true;
}

async function cancelRequest(
  app: App,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  requestId: string,
): Promise<boolean> {
  const { clock } = app;
  const by: By = { actor: 'passenger', actorId: ownerId };
  const request = await locked.lockRequest(requestId);
  if (request === null) return false;
  const bookings = locked.bookingsOfRequest(requestId);
  if (bookings.some(isSeated)) return false;
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
  moveRequest(app, locked, request, { move: 'cancel', by, set: { endedAt: clock.now() } });
  locked.spans.free(requestId);
  return true;
}
