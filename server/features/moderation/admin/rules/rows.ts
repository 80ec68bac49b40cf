import { co2GramsPerMetre } from '#contract/co2.ts';
import type { StatisticsRow } from '#contract/admin/endpoints.ts';

const counted = [
  'people',
  'rides',
  'requests',
  'matches',
  'joined',
  'finished',
  'cancelledByDriver',
  'cancelledByPassenger',
  'missedByDriver',
  'missedByPassenger',
  'sharedMetres',
  'heldCents',
  'capturedCents',
  'licencesDecided',
] as const;

/** One row for each period, also for an empty one. */
export function rowsOf(
  periods: readonly string[],
  figures: readonly { period: string; name: string; value: number }[],
): StatisticsRow[] {
  const found = new Map(figures.map(({ period, name, value }) => [`${period} ${name}`, value]));
  return periods.map((from) => {
    const counts = Object.fromEntries(
      counted.map((name) => [name, found.get(`${from} ${name}`) ?? 0]),
    ) as Record<(typeof counted)[number], number>;
    const wait = found.get(`${from} licenceWaitMinutes`);
    return {
      from,
      ...counts,
      savedCo2Grams: Math.round(counts.sharedMetres * co2GramsPerMetre),
      licenceWaitMinutes: wait === undefined ? null : Math.round(wait),
    };
  });
}
