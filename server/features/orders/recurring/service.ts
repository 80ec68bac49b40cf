import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type {
  createSeries as createCall,
  endSeries,
  Series,
  seriesFields,
  SeriesOrder,
  skipDay,
  updateSeries,
} from '#contract/rides/series.ts';
import { planAheadDays } from '#contract/units.ts';
import type { Platform } from '../../../platform/platform.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../../platform/refusal.ts';
import type { GeoService } from '../../geo/service.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { EditContext } from '../edit-order.ts';
import { checkAudience, checkRoom, checkVehicle } from '../order-checks.ts';
import { checkBack, ofBack } from '../order-input.ts';
import { timeOf } from '../sound-order.ts';
import {
  calendarDay,
  dayLater,
  daysAfter,
  hasDay,
  instantOfDay,
  isBackOnDayAfter,
  onDaysAfter,
  type DaysRule,
  type SeriesDay,
} from '../rules/recurring-days.ts';
import { refusedEmail } from '../rules/recurring-email.ts';
import { createDays, orderAt } from './days.ts';
import * as store from './store.ts';
import { ruleOf, viewSeries } from './view.ts';

type Fields = z.output<typeof seriesFields>;

/** A series as it can be set up: its days, and the first that is still to come. */
interface Sound {
  rule: DaysRule;
  first: SeriesDay;
}

const missing = () => notFound('series.notFound', 'This series could not be found.');

/**
 * Rides and requests that come back every week. Each day is an order like any other, published two weeks ahead by the
 * clock (decision 0019); the series is what they have in common and what was done about each day.
 */
export function createRecurringRides(
  platform: Platform,
  { geo, identity }: { geo: GeoService; identity: IdentityService },
  orders: EditContext,
) {
  const { db, transact, clock, outbox, log, env } = platform;
  const { catchUp, ordersOf, cancelDay, comingDays, follow } = createDays(orders);

  /** What was entered, checked as far as it can be without the tables. */
  function sound(fields: Fields, placed: (entered: DaysRule) => DaysRule = (entered) => entered): Sound {
    const { order } = fields;
    const entered = { ...fields.rule, timeZone: geo.timeZoneAt(order.from.lon, order.from.lat) };
    const now = clock.now();
    const last = calendarDay(later(now, planAheadDays * dayMs), entered.timeZone);
    if (entered.untilDay > last)
      throw refuseField(
        'series.tooFar',
        'rule.untilDay',
        `Please select a last day within the next ${planAheadDays} days.`,
      );
    const rule = placed(entered);
    const [first] = daysAfter(rule, now);
    if (first === undefined)
      throw refuseField('series.noDay', 'rule.untilDay', 'There is no such day in this time.');
    // A price or a place that is refused would be refused every day: better said at once.
    timeOf(orders, orderAt(order, first.at));
    return { rule, first };
  }

  async function checkOwn(tx: Db, ownerId: string, order: SeriesOrder, at: Date): Promise<void> {
    const first = orderAt(order, at);
    if (first.role === 'driver') await checkVehicle(orders, tx, ownerId, first);
    await checkAudience(tx, ownerId, first);
  }

  async function views(rows: readonly store.SeriesRow[]): Promise<Series[]> {
    const now = clock.now();
    // Days are those of the place; a day earlier serves every zone.
    const yesterday = calendarDay(later(now, -dayMs), 'UTC');
    const days = await store.daysOf(
      db,
      rows.map(({ id }) => id),
      yesterday,
    );
    const dayOrders = await ordersOf(db, days);
    return Promise.all(
      rows.map(async (row) => {
        const paired = await store.pairedSeries(db, row);
        const pairedId = paired?.state === 'running' ? paired.id : null;
        return viewSeries(row, { days, orders: dayOrders, pairedId, now });
      }),
    );
  }

  async function view(id: string, ownerId: string): Promise<Series> {
    const rows = await store.seriesOf(db, ownerId, id);
    if (rows.length === 0) throw missing();
    return (await views(rows))[0]!;
  }

  async function lockOwn(tx: Db, id: string, ownerId: string): Promise<store.SeriesRow> {
    const series = await store.lockSeries(tx, id);
    if (series === null || series.ownerId !== ownerId) throw missing();
    return series;
  }

  /**
   * The way back of a series, checked against the way there. A time that is earlier by the clock than that of the way there is on the day
   * after: a night shift.
   */
  function soundBack(series: Fields, there: Sound, back: Fields): Sound & { daysLater: number } {
    const { day } = there.first;
    let daysLater = 0;
    const sounded = sound(back, (entered) => {
      daysLater = isBackOnDayAfter(there.rule, entered, day) ? 1 : 0;
      return daysLater === 1 ? onDaysAfter(entered, day) : entered;
    });
    const onDay = (fields: Fields, day: string, of: DaysRule) => ({
      role: fields.order.role,
      taken: timeOf(orders, orderAt(fields.order, instantOfDay(day, of))),
    });
    checkBack(onDay(series, day, there.rule), onDay(back, dayLater(day, daysLater), sounded.rule));
    return { ...sounded, daysLater };
  }

  async function insert(
    tx: Db,
    ownerId: string,
    { order }: Fields,
    of: Sound & { pairId: string | null; pairedDaysLater: number },
  ): Promise<store.SeriesRow> {
    await checkRoom(tx, ownerId);
    await checkOwn(tx, ownerId, order, of.first.at);
    const now = clock.now();
    const { weekdays, localTime, fromDay, untilDay } = of.rule;
    const series = await store.insertSeries(tx, {
      id: randomUUID(),
      ownerId,
      state: 'running',
      template: order,
      timeZone: of.rule.timeZone,
      weekdays: [...weekdays],
      localTime,
      fromDay,
      untilDay,
      pairId: of.pairId,
      pairedDaysLater: of.pairedDaysLater,
      dueAt: now,
      createdAt: now,
    });
    await catchUp(tx, series);
    return series;
  }

  return {
    /**
     * Starts a series, or two for there and back, and publishes the days that are due. Days refused are in the answer. A way back that
     * leaves earlier by the clock than the way there is on the day after.
     */
    async create(
      ownerId: string,
      { series, back }: z.output<typeof createCall.input>,
    ): Promise<OutputOf<typeof createCall>> {
      const there = sound(series);
      const home = back === null ? null : await ofBack(() => soundBack(series, there, back));
      const pairId = back === null ? null : randomUUID();
      const pairedDaysLater = home?.daysLater ?? 0;
      const ids = await transact(async (tx) => {
        const first = await insert(tx, ownerId, series, { ...there, pairId, pairedDaysLater });
        if (back === null || home === null) return [first.id];
        const second = await ofBack(() =>
          insert(tx, ownerId, back, { ...home, pairId, pairedDaysLater: -pairedDaysLater }),
        );
        return [first.id, second.id];
      });
      return { series: await Promise.all(ids.map((id) => view(id, ownerId))) };
    },

    list: async (ownerId: string): Promise<{ series: Series[] }> => ({
      series: await views(await store.seriesOf(db, ownerId)),
    }),

    /** Refuses `series.notFound`. */
    detail: async (id: string, ownerId: string): Promise<{ series: Series }> => ({
      series: await view(id, ownerId),
    }),

    /** Leaves a day out, or takes it in again. Refuses `series.dayMatched` where somebody has joined. */
    async skip(
      { id, day, skip }: z.output<typeof skipDay.input>,
      ownerId: string,
    ): Promise<OutputOf<typeof skipDay>> {
      await transact(async (tx) => {
        const series = await lockOwn(tx, id, ownerId);
        const rule = ruleOf(series);
        const known = (await comingDays(tx, series)).find(({ row }) => row.day === day);
        const isToCome = hasDay(rule, day) && instantOfDay(day, rule) > clock.now();
        if (series.state === 'ended' || (known === undefined && !isToCome))
          throw notFound('series.noDay', 'This series has no such day.');
        const state = known?.state ?? 'planned';
        if (skip) {
          const orderId = state === 'open' ? (known?.row.orderId ?? null) : null;
          const isFree = orderId === null ? state !== 'matched' : await cancelDay(tx, series, orderId);
          if (!isFree || state === 'over')
            throw movedOn(
              'series.dayMatched',
              'Somebody has joined you that day. Please cancel that ride by itself.',
            );
          const row = { seriesId: id, day, orderId: null, edited: false, reason: '' };
          await store.putDay(tx, { ...row, outcome: 'skipped' });
        } else if (isToCome && ['skipped', 'refused', 'cancelled'].includes(state)) {
          await store.dropDay(tx, id, day);
        }
        await catchUp(tx, series);
      });
      return { series: await view(id, ownerId) };
    },

    /**
     * Changes a series and the days to come that nobody has joined. A day that was edited by itself stays as it is, and so
     * does one that the change would make overlap another order; days that could not be published are tried again.
     */
    async update(id: string, ownerId: string, fields: Fields): Promise<OutputOf<typeof updateSeries>> {
      const { rule, first } = sound(fields);
      const counts = await transact(async (tx) => {
        const before = await lockOwn(tx, id, ownerId);
        if (before.state === 'ended') throw movedOn('series.over', 'This series has ended.');
        if (before.template.role !== fields.order.role)
          throw refuseField('series.role', 'order.role', 'A series keeps its role.');
        await checkOwn(tx, ownerId, fields.order, first.at);
        const { weekdays, localTime, fromDay, untilDay, timeZone } = rule;
        const columns = { weekdays: [...weekdays], localTime, fromDay, untilDay, timeZone };
        const series = await store.setSeries(tx, id, { ...columns, template: fields.order });
        let [changed, kept] = [0, 0];
        for (const { row, state } of await comingDays(tx, before)) {
          if (row.outcome === 'refused') await store.dropDay(tx, id, row.day);
          if (row.orderId === null || (state !== 'open' && state !== 'matched')) continue;
          const follows = state === 'open' && !row.edited && (await follow(tx, series, row.day, row.orderId));
          if (follows) changed += 1;
          else kept += 1;
        }
        await catchUp(tx, series);
        return { changed, kept };
      });
      return { series: await view(id, ownerId), ...counts };
    },

    /** Ends a series; days to come that nobody has joined are canceled. */
    async end(id: string, ownerId: string): Promise<OutputOf<typeof endSeries>> {
      const counts = await transact(async (tx) => {
        const series = await lockOwn(tx, id, ownerId);
        if (series.state === 'ended') throw movedOn('series.over', 'This series has ended.');
        let [cancelled, kept] = [0, 0];
        for (const { row, state } of await comingDays(tx, series)) {
          if (row.orderId === null || (state !== 'open' && state !== 'matched')) continue;
          if (state === 'open' && (await cancelDay(tx, series, row.orderId))) cancelled += 1;
          else kept += 1;
        }
        await store.setSeries(tx, id, { state: 'ended', endedAt: clock.now(), dueAt: null });
        return { cancelled, kept };
      });
      return { series: await view(id, ownerId), ...counts };
    },

    /** Publishes the days of all series that are due by now. Owners hear of days that could not be. */
    async publishDue(): Promise<void> {
      for (const id of await store.dueSeries(db, clock.now())) {
        // One series that fails is tried again in the next round and does not hold up the others.
        await transact(async (tx) => {
          const series = await store.lockSeries(tx, id);
          if (series?.dueAt == null || series.dueAt > clock.now()) return;
          const refused = await catchUp(tx, series);
          if (refused.length === 0) return;
          const { ownerId } = series;
          const owner = (await identity.contactDetails([ownerId])).get(ownerId);
          const link = `${env.publicUrl}/pages/order/series?id=${id}`;
          const days = refused.map((day) => instantOfDay(day, ruleOf(series)));
          if (owner !== undefined)
            await outbox.post(tx, {
              to: owner.email,
              ...refusedEmail(owner.language, { days, timeZone: series.timeZone, link }),
            });
          await outbox.tell(tx, [ownerId], { topic: 'order', id, news: 'series.refused' });
        }).catch((error: unknown) => log.error({ err: error, id }, 'a series failed'));
      }
    },

    /** The series whose day an order is, and the order of the way there or back; null where there is none. */
    async around(
      role: 'driver' | 'passenger',
      row: { id: string; pairId: string | null; seriesId: string | null },
    ): Promise<{ pairedId: string | null; series: { id: string; day: string } | null }> {
      if (row.seriesId === null) return { pairedId: await store.pairedOrder(db, role, row), series: null };
      const [own, series] = await Promise.all([
        store.dayOfOrder(db, row.id),
        store.seriesById(db, row.seriesId),
      ]);
      if (own === null || series === null) return { pairedId: null, series: null };
      const paired = await store.pairedSeries(db, series);
      const pairedDay = dayLater(own.day, series.pairedDaysLater);
      const pairedId = paired === null ? null : await store.orderOfDay(db, paired.id, pairedDay);
      return { pairedId, series: { id: series.id, day: own.day } };
    },
  };
}
