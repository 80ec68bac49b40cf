import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import {
  publishAheadDays,
  seriesOrder,
  type createSeries as createCall,
  type endSeries,
  type Series,
  type seriesFields,
  type SeriesOrder,
  type skipDay,
  type updateSeries,
} from '#contract/rides/series.ts';
import { planAheadDays } from '#contract/units.ts';
import type { Base } from '../../../base/base.ts';
import { dayMs, later, minuteMs } from '../../../base/clock.ts';
import type { Db } from '../../../base/db.ts';
import { publicUrl } from '../../../base/env.ts';
import { movedOn, notFound, Refusal, refuseField } from '../../../base/refusal.ts';
import type { GeoService } from '../../geo/service.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { Editing } from '../editing.ts';
import type { By, Moves } from '../moves.ts';
import { checkBack, ofBack, type Publishing, type RequestInput, type RideInput } from '../publishing.ts';
import {
  calendarDay,
  daysAfter,
  endOfSeries,
  hasDay,
  instantOfDay,
  type DaysRule,
  type SeriesDay,
} from '../rules/series-days.ts';
import { refusedLetter } from '../rules/series-letter.ts';
import type { Settle } from '../settling.ts';
import * as orders from '../store.ts';
import * as store from './store.ts';
import { dayState, ruleOf, viewSeries, type DayOrders } from './view.ts';

type Fields = z.output<typeof seriesFields>;

const missing = () => notFound('series.notFound', 'This series could not be found.');

/** The order of one day of a series. */
function orderAt(template: SeriesOrder, at: Date): RideInput | RequestInput {
  if (template.role === 'driver') return { ...template, departsAt: at.toISOString(), eventId: null };
  const { flexMinutes, ...order } = template;
  const shifted = (minutes: number) => later(at, minutes * minuteMs).toISOString();
  return { ...order, earliestAt: shifted(-flexMinutes), latestAt: shifted(flexMinutes), eventId: null };
}

/**
 * Rides and requests that come back every week. Each day is an order like any other, published two weeks ahead by the
 * clock (decision 0019); the series is what they have in common and what was done about each day.
 */
export function createSeries(
  base: Base,
  { geo, identity }: { geo: GeoService; identity: IdentityService },
  parts: { publishing: Publishing; editing: Editing; moves: Moves; settle: Settle },
) {
  const { db, transact, clock, outbox, live, log, env } = base;
  const { publishing, editing, moves, settle } = parts;

  /** What was entered, checked as far as it can be without the tables. */
  function sound(fields: Fields): { rule: DaysRule; first: SeriesDay } {
    const { order } = fields;
    const rule = { ...fields.rule, timeZone: geo.timeZoneAt(order.from.lon, order.from.lat) };
    const now = clock.now();
    const last = calendarDay(later(now, planAheadDays * dayMs), rule.timeZone);
    if (rule.untilDay > last)
      throw refuseField(
        'series.tooFar',
        'rule.untilDay',
        `Please select a last day within the next ${planAheadDays} days.`,
      );
    const [first] = daysAfter(rule, now);
    if (first === undefined)
      throw refuseField('series.noDay', 'rule.untilDay', 'There is no such day in this time.');
    // A price or a place that is refused would be refused every day: better said at once.
    publishing.timeOf(orderAt(order, first.at));
    return { rule, first };
  }

  async function checkOwn(tx: Db, ownerId: string, order: SeriesOrder, at: Date): Promise<void> {
    const first = orderAt(order, at);
    if (first.role === 'driver') await publishing.checkCar(tx, ownerId, first);
    await publishing.checkCircle(tx, ownerId, first);
  }

  /** Publishes one day, or notes why it cannot be. */
  async function publishDay(tx: Db, series: store.SeriesRow, { day, at }: SeriesDay): Promise<boolean> {
    const row = { seriesId: series.id, day, orderId: null, edited: false, reason: '' };
    const order = orderAt(seriesOrder.parse(series.template), at);
    try {
      // In a savepoint, so that a refused day leaves the transaction usable for the others.
      const published = await tx.transaction((inner) =>
        publishing.publish(series.ownerId, order, (work) => work(inner), { seriesId: series.id }),
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

  /** Cancels the order of a day that nobody has joined; false where somebody has. */
  async function cancelDay(tx: Db, series: store.SeriesRow, orderId: string): Promise<boolean> {
    const endedAt = clock.now();
    if (series.template.role === 'driver') {
      const by: By = { actor: 'driver', actorId: series.ownerId };
      const ride = await orders.lockRide(tx, orderId);
      const bookings = await orders.bookingsOf(tx, { rideIds: [orderId] });
      if (ride === null || bookings.some(({ state }) => seatedStates.includes(state))) return false;
      await moves.moveRide(tx, ride, 'cancel', by, { endedAt });
      await settle.closeAsks(tx, bookings, 'withdraw', '');
      await orders.freeSpan(tx, orderId);
      await settle.requests(tx, bookings);
      return true;
    }
    const by: By = { actor: 'passenger', actorId: series.ownerId };
    const request = await orders.lockRequest(tx, orderId);
    const bookings = await orders.bookingsOf(tx, { requestIds: [orderId] });
    if (request === null || bookings.some(({ state }) => seatedStates.includes(state))) return false;
    await settle.closeAsks(tx, bookings, 'withdraw', '');
    await moves.moveRequest(tx, request, 'cancel', by, { endedAt });
    await orders.freeSpan(tx, orderId);
    return true;
  }

  /** The days to come about which something was done, each with what has become of it. */
  async function comingDays(tx: Db, series: store.SeriesRow) {
    const now = clock.now();
    const days = await store.daysOf(tx, [series.id], calendarDay(now, series.timeZone));
    const dayOrders = await ordersOf(tx, days);
    return days.map((row) => ({ row, state: dayState(row, dayOrders) }));
  }

  async function insert(
    tx: Db,
    ownerId: string,
    { order, rule: { weekdays, localTime, fromDay, untilDay } }: Fields,
    of: { rule: DaysRule; first: SeriesDay; pairId: string | null },
  ): Promise<store.SeriesRow> {
    await publishing.checkRoom(tx, ownerId);
    await checkOwn(tx, ownerId, order, of.first.at);
    const now = clock.now();
    const series = await store.insertSeries(tx, {
      id: randomUUID(),
      ownerId,
      state: 'running',
      template: order,
      timeZone: of.rule.timeZone,
      weekdays,
      localTime,
      fromDay,
      untilDay,
      pairId: of.pairId,
      dueAt: now,
      createdAt: now,
    });
    await catchUp(tx, series);
    return series;
  }

  return {
    /** Starts a series, or two for there and back, and publishes the days that are due. Days refused are in the answer. */
    async create(
      ownerId: string,
      { series, back }: z.output<typeof createCall.input>,
    ): Promise<OutputOf<typeof createCall>> {
      const there = sound(series);
      const home = back === null ? null : await ofBack(() => sound(back));
      if (back !== null && home !== null) {
        const onDay = (fields: Fields, rule: DaysRule) => ({
          role: fields.order.role,
          taken: publishing.timeOf(orderAt(fields.order, instantOfDay(there.first.day, rule))),
        });
        checkBack(onDay(series, there.rule), await ofBack(() => onDay(back, home.rule)));
      }
      const pairId = back === null ? null : randomUUID();
      const ids = await transact(async (tx) => {
        const first = await insert(tx, ownerId, series, { ...there, pairId });
        if (back === null || home === null) return [first.id];
        const second = await ofBack(() => insert(tx, ownerId, back, { ...home, pairId }));
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

    /** Ends a series; days to come that nobody has joined are cancelled. */
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
        await transact(async (tx, afterCommit) => {
          const series = await store.lockSeries(tx, id);
          if (series?.dueAt == null || series.dueAt > clock.now()) return;
          const refused = await catchUp(tx, series);
          if (refused.length === 0) return;
          const { ownerId } = series;
          const owner = (await identity.contactDetails([ownerId])).get(ownerId);
          const link = `${publicUrl(env)}/pages/order/series?id=${id}`;
          const days = refused.map((day) => instantOfDay(day, ruleOf(series)));
          if (owner !== undefined)
            await outbox.post(tx, {
              to: owner.email,
              ...refusedLetter(owner.language, { days, timeZone: series.timeZone, link }),
            });
          afterCommit(() => live.tell([ownerId], 'changed', { topic: 'order', id, news: 'series.refused' }));
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
      const pairedId = paired === null ? null : await store.orderOfDay(db, paired.id, own.day);
      return { pairedId, series: { id: series.id, day: own.day } };
    },
  };

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
      await tx.transaction((inner) => editing.updateIn(inner, series.ownerId, orderId, order));
      await store.putDay(tx, { ...row, reason: '' });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await store.putDay(tx, { ...row, reason: error.reason });
      return false;
    }
  }
}
