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
  'authorizedCents',
  'capturedCents',
  'licencesDecided',
] as const;

/** A part of a period's figure: the parts of one name, or of one bucket of a distribution, are added. */
interface FigurePart {
  period: string;
  name: string;
  bucket: number;
  value: number;
}

/** One row for each period, also for an empty one. */
export function rowsOf(periods: readonly string[], parts: readonly FigurePart[]): StatisticsRow[] {
  const sums = new Map<string, number>();
  const waits = new Map<string, Map<number, number>>();
  for (const { period, name, bucket, value } of parts) {
    const key = `${period} ${name}`;
    sums.set(key, (sums.get(key) ?? 0) + value);
    if (name !== 'licenseWait') continue;
    const ofPeriod = waits.get(period) ?? new Map<number, number>();
    waits.set(period, ofPeriod.set(bucket, (ofPeriod.get(bucket) ?? 0) + value));
  }
  return periods.map((from) => {
    const counts = Object.fromEntries(
      counted.map((name) => [name, sums.get(`${from} ${name}`) ?? 0]),
    ) as Record<(typeof counted)[number], number>;
    const ofPeriod = waits.get(from);
    return {
      from,
      ...counts,
      savedCo2Grams: Math.round(counts.sharedMetres * co2GramsPerMetre),
      licenceWaitMinutes: ofPeriod === undefined ? null : medianOf(ofPeriod),
    };
  });
}

/** The middle of a distribution; of two in the middle the mean. */
function medianOf(counts: ReadonlyMap<number, number>): number {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (rank: number): number => {
    let seen = 0;
    return sorted.find(([, count]) => (seen += count) > rank)?.[0] ?? 0;
  };
  return Math.round((at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2);
}
