import { Temporal } from 'temporal-polyfill';
import type { Period, Statistics } from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { FigureSlot } from '../../../platform/database/figures.ts';
import { timeLimit } from '../../../platform/queue/time-limit.ts';
import { regionInfo } from '../../geo/service.ts';
import { moveAfter } from '../../orders/statistics/queries.ts';
import { rowsOf } from './rules/rows.ts';
import * as store from './store.ts';

/** Everything before this time is committed: no transaction takes longer. */
const settledAfterMs = 2 * minuteMs;
const periodsShown: Record<Period, number> = { day: 30, week: 26, month: 12 };
/** Events that are not added up yet are counted at once where their time is this short. */
const liveMs = 3 * settledAfterMs;

/**
 * Figures by day, week or month in the region's zone, and current totals: from what is added up by day, and
 * the last minutes counted now.
 */
export function readStatistics(app: App, by: Period): Promise<Statistics> {
  const { lagging, clock } = app;
  const { timeZone } = regionInfo(app);
  // Of one moment: what is added up meanwhile is neither missed nor counted twice.
  return lagging.longRead(async (tx) => {
    const now = clock.now();
    const periods = await store.periodStarts(tx, { by, periods: periodsShown[by], timeZone, now });
    const standing = await store.standing(tx, now);
    const counted = await store.figuresFrom(tx, by, periods[0] ?? '');
    const live = await liveFigures(tx, timeZone, now);
    const inPeriod = (live ?? []).map(({ day, ...of }) => ({
      ...of,
      period: periods.findLast((from) => from <= day) ?? '',
    }));
    // While the past is being added up, the sums do not tell how many people there are.
    const people =
      live === null ? await store.peopleNow(tx) : (await store.countedPeople(tx)) + peopleAmong(live);
    return {
      timeZone,
      now: { people, ...standing },
      rows: rowsOf(periods, [...counted, ...inPeriod]),
    };
  });
}

const signs: Record<string, number | undefined> = { people: 1, peopleGone: -1 };
/** By how many the number of accounts has changed. */
const peopleAmong = (figures: readonly { name: string; value: number }[]): number =>
  figures.reduce((sum, { name, value }) => sum + (signs[name] ?? 0) * value, 0);

/** The events since the last adding up, by day; null while the past is being added up. */
async function liveFigures(
  db: Db,
  timeZone: string,
  now: Date,
): Promise<{ day: string; name: string; bucket: number; value: number }[] | null> {
  const from = (await store.countedUntil(db))?.untilAt;
  if (from === undefined || now.getTime() - from.getTime() > liveMs) return null;
  const midnight = dayEnd(from, timeZone);
  const until = later(now, 1);
  const slots =
    midnight < until
      ? [
          { from, until: midnight },
          { from: midnight, until },
        ]
      : [{ from, until }];
  const figures = [];
  for (const slot of slots) {
    const day = dayOf(slot.from, timeZone);
    for (const each of await store.figuresIn(db, slot)) figures.push({ day, ...each });
  }
  return figures;
}

/** Moves in one slot: as many as are counted in a few milliseconds. */
const movesAtOnce = 1000;
/** A round that has a long past to catch up with ends after this. */
const roundMs = 5 * secondMs;

/**
 * Adds what has happened since the last time to the figures of its day. An installation that begins with it
 * after years catches up in some rounds, the oldest days first. Two processes never add the same. It also
 * counts the open orders.
 */
export async function addUp(app: App): Promise<void> {
  const { db, clock } = app;
  await store.keepOpenOrders(db, clock.now());
  const isOver = timeLimit(roundMs);
  while (await addSlot(app)) if (isOver()) return;
}

/** One slot in one transaction. @returns whether there is another one. */
function addSlot(app: App): Promise<boolean> {
  const { transact, clock } = app;
  const { timeZone } = regionInfo(app);
  return transact('add slot', async (tx) => {
    const known = await store.countedUntil(tx);
    if (known?.timeZone !== timeZone) {
      await store.beginCounting(tx, timeZone, clock.now());
      return true;
    }
    const counted = await store.lockCounted(tx);
    const end = later(clock.now(), -settledAfterMs);
    // Another process is at it, the demo's clock was put back, or there is nothing to count.
    if (counted === null || counted.untilAt >= end) return false;
    const slot = await slotFrom(tx, counted.untilAt, end, timeZone);
    await store.addFigures(tx, dayOf(slot.from, timeZone), slot);
    await store.noteCounted(tx, slot.until);
    return slot.until < end;
  });
}

/** From an instant until the end, the end of its day, or `movesAtOnce` moves later. */
async function slotFrom(tx: Db, from: Date, end: Date, timeZone: string): Promise<FigureSlot> {
  const last = await moveAfter(tx, from, movesAtOnce);
  const ends = [end, dayEnd(from, timeZone), ...(last === null || last <= from ? [] : [last])];
  return { from, until: new Date(Math.min(...ends.map((at) => at.getTime()))) };
}

const localOf = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/** The day of an instant, `2026-11-24`. */
const dayOf = (at: Date, timeZone: string): string => localOf(at, timeZone).toPlainDate().toString();

/** When the day of an instant ends. */
const dayEnd = (at: Date, timeZone: string): Date =>
  new Date(localOf(at, timeZone).add({ days: 1 }).startOfDay().epochMilliseconds);
