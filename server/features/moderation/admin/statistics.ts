import type { Period, Statistics } from '#contract/admin/endpoints.ts';
import type { AdminContext } from './context.ts';
import { rowsOf } from './rules/rows.ts';
import * as store from './store.ts';

const periodsShown: Record<Period, number> = { day: 30, week: 26, month: 12 };

/** Figures by day, week or month in the region's zone, and current totals. */
export const readStatistics = (
  { timeZone, platform: { lagging, clock } }: AdminContext,
  by: Period,
): Promise<Statistics> =>
  lagging.longRead(async (tx) => {
    const now = clock.now();
    const periods = await store.periodStarts(tx, { by, periods: periodsShown[by], timeZone, now });
    const standing = await store.standing(tx);
    const figures = await store.figures(tx, { by, from: periods[0] ?? '', timeZone });
    return { timeZone, now: standing, rows: rowsOf(periods, figures) };
  });
