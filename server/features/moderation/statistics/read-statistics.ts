import type { Period, Statistics } from '#contract/admin/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { regionInfo } from '../../geo/service.ts';
import { dayEnd, dayOf, settledAfterMs } from './add-up.ts';
import { rowsOf } from './rules/rows.ts';
import * as store from './store.ts';

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
