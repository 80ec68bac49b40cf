import { Temporal } from 'temporal-polyfill';
import type { App } from '../../../app-type.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { FigureSlot } from '../../../platform/database/figures.ts';
import { timeLimit } from '../../../platform/queue/time-limit.ts';
import { regionInfo } from '../../geo/service.ts';
import { moveAfter } from '../../orders/statistics/queries.ts';
import * as store from './store.ts';

/** Everything before this time is committed: no transaction takes longer. */
export const settledAfterMs = 2 * minuteMs;
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
export const dayOf = (at: Date, timeZone: string): string => localOf(at, timeZone).toPlainDate().toString();

/** When the day of an instant ends. */
export const dayEnd = (at: Date, timeZone: string): Date =>
  new Date(localOf(at, timeZone).add({ days: 1 }).startOfDay().epochMilliseconds);
