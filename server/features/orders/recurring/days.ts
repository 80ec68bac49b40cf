import { seatedStates } from '#contract/rides/moves.ts';
import { publishAheadDays, seriesOrder, type SeriesOrder } from '#contract/rides/series.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { editOrderIn, type EditContext } from '../edit-order.ts';
import type { By } from '../move-log.ts';
import { publishOrder } from '../publish-order.ts';
import type { RequestInput, RideInput } from '../order-input.ts';
import {
  calendarDay,
  daysAfter,
  endOfSeries,
  hasDay,
  instantOfDay,
  type SeriesDay,
} from '../rules/recurring-days.ts';
import * as orders from '../store.ts';
import * as store from './store.ts';
import { dayState, ruleOf, type DayOrders, type DayState } from './view.ts';

/** The order of one day of a series. */
export function orderAt(template: SeriesOrder, at: Date): RideInput | RequestInput {
  if (template.role === 'driver') return { ...template, departsAt: at.toISOString(), eventId: null };
  const { flexMinutes, ...order } = template;
  const shifted = (minutes: number) => later(at, minutes * minuteMs).toISOString();
  return { ...order, earliestAt: shifted(-flexMinutes), latestAt: shifted(flexMinutes), eventId: null };
}

/** The days of a series as orders: published, brought to what the series says, canceled. Each under the lock on the series. */
export function createDays(context: EditContext) {
  const { moves, settle } = context;
  const { clock } = context.platform;

  /** Publishes one day, or notes why it cannot be. */
  async function publishDay(tx: Db, series: store.SeriesRow, { day, at }: SeriesDay): Promise<boolean> {
    const row = { seriesId: series.id, day, orderId: null, edited: false, reason: '' };
    const order = orderAt(seriesOrder.parse(series.template), at);
    try {
      // In a savepoint, so that a refused day leaves the transaction usable for the others.
      const published = await tx.transaction((inner) =>
        publishOrder(context, series.ownerId, order, {
          within: (work) => work(inner),
          together: { seriesId: series.id },
        }),
      );
      const orderId = 'ride' in published ? published.ride.id : published.request.id;
      await store.putDay(tx, { ...row, outcome: 'published', orderId });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await store.putDay(tx, { ...row, outcome: 'refused', reason: error.reason });
      return false;
    }
  }

  /**
   * Publishes every day that is due and says when the next one is; a series whose last day is over ends. Under the lock on
   * the series. Days that are past are passed over: nobody can ride them.
   */
  async function catchUp(tx: Db, series: store.SeriesRow): Promise<string[]> {
    const rule = ruleOf(series);
    const now = clock.now();
    const horizon = later(now, publishAheadDays * dayMs);
    const done = new Set((await store.daysOf(tx, [series.id], series.fromDay)).map(({ day }) => day));
    const ahead = daysAfter(rule, now).filter(({ day }) => !done.has(day));
    const refused: string[] = [];
    for (const each of ahead.filter(({ at }) => at <= horizon))
      if (!(await publishDay(tx, series, each))) refused.push(each.day);
    const next = ahead.find(({ at }) => at > horizon);
    const dueAt = next === undefined ? endOfSeries(rule) : later(next.at, -publishAheadDays * dayMs);
    await store.setSeries(
      tx,
      series.id,
      dueAt <= now ? { state: 'ended', endedAt: now, dueAt: null } : { dueAt },
    );
    return refused;
  }

  async function ordersOf(at: Db, days: readonly store.DayRow[]): Promise<DayOrders> {
    const ids = days.flatMap(({ orderId }) => orderId ?? []);
    // One after the other: a transaction has one connection.
    const rides = await orders.ridesByIds(at, ids);
    const requests = await orders.requestsByIds(at, ids);
    const bookings = await orders.bookingsOf(at, { rideIds: ids, requestIds: ids });
    return {
      rides: new Map(rides.map((row) => [row.id, row])),
      requests: new Map(requests.map((row) => [row.id, row])),
      bookings,
    };
  }

  /** Cancels the order of a day that nobody has joined; false where somebody has. */
  async function cancelDay(tx: Db, series: store.SeriesRow, orderId: string): Promise<boolean> {
    const endedAt = clock.now();
    if (series.template.role === 'driver') {
      const by: By = { actor: 'driver', actorId: series.ownerId };
      const ride = await orders.lockRide(tx, orderId);
      const bookings = await orders.bookingsOf(tx, { rideIds: [orderId] });
      if (ride === null || bookings.some(({ state }) => seatedStates.includes(state))) return false;
      await moves.moveRide(tx, ride, { move: 'cancel', by, set: { endedAt } });
      await settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
      await orders.freeSpan(tx, orderId);
      await settle.requests(tx, bookings);
      return true;
    }
    const by: By = { actor: 'passenger', actorId: series.ownerId };
    const request = await orders.lockRequest(tx, orderId);
    const bookings = await orders.bookingsOf(tx, { requestIds: [orderId] });
    if (request === null || bookings.some(({ state }) => seatedStates.includes(state))) return false;
    await settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
    await moves.moveRequest(tx, request, { move: 'cancel', by, set: { endedAt } });
    await orders.freeSpan(tx, orderId);
    return true;
  }

  /** The days to come about which something was done, each with what has become of it. */
  async function comingDays(
    tx: Db,
    series: store.SeriesRow,
  ): Promise<{ row: store.DayRow; state: DayState }[]> {
    const now = clock.now();
    const days = await store.daysOf(tx, [series.id], calendarDay(now, series.timeZone));
    const dayOrders = await ordersOf(tx, days);
    return days.map((row) => ({ row, state: dayState(row, dayOrders) }));
  }

  /** Brings a published day that nobody has joined to what the series says now; false where it stays as it was. */
  async function follow(tx: Db, series: store.SeriesRow, day: string, orderId: string): Promise<boolean> {
    const rule = ruleOf(series);
    const at = instantOfDay(day, rule);
    if (!hasDay(rule, day) || at <= clock.now()) {
      if (!(await cancelDay(tx, series, orderId))) return false;
      await store.dropDay(tx, series.id, day);
      return true;
    }
    const row = { seriesId: series.id, day, outcome: 'published' as const, orderId, edited: false };
    try {
      const order = orderAt(seriesOrder.parse(series.template), at);
      await tx.transaction((inner) =>
        editOrderIn(context, inner, { personId: series.ownerId, id: orderId }, order),
      );
      await store.putDay(tx, { ...row, reason: '' });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await store.putDay(tx, { ...row, reason: error.reason });
      return false;
    }
  }

  return { catchUp, ordersOf, cancelDay, comingDays, follow };
}
