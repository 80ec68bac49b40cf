import type { StatisticsRow } from '#contract/admin/endpoints.ts';

const metresPerMile = 1609.344;

/** One line or row of bars in a chart: its word, and its value in a period (null where there is none). */
export interface Series {
  word:
    | 'people'
    | 'rides'
    | 'requests'
    | 'matches'
    | 'joined'
    | 'finished'
    | 'cancelledByDriver'
    | 'cancelledByPassenger'
    | 'missedByDriver'
    | 'missedByPassenger'
    | 'miles'
    | 'co2'
    | 'held'
    | 'captured'
    | 'licensesDecided'
    | 'licenseWait';
  value: (row: StatisticsRow) => number | null;
  /** Its values cannot be added up: a median. */
  noTotal?: true;
}

export interface ChartOf {
  word: 'people' | 'orders' | 'matches' | 'lost' | 'miles' | 'co2' | 'money' | 'licenses';
  series: readonly Series[];
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

export const charts: readonly ChartOf[] = [
  { word: 'people', series: [{ word: 'people', value: (row) => row.people }] },
  {
    word: 'orders',
    series: [
      { word: 'rides', value: (row) => row.rides },
      { word: 'requests', value: (row) => row.requests },
    ],
  },
  {
    word: 'matches',
    series: [
      { word: 'matches', value: (row) => row.matches },
      { word: 'joined', value: (row) => row.joined },
      { word: 'finished', value: (row) => row.finished },
    ],
  },
  {
    word: 'lost',
    series: [
      { word: 'cancelledByDriver', value: (row) => row.cancelledByDriver },
      { word: 'cancelledByPassenger', value: (row) => row.cancelledByPassenger },
      { word: 'missedByDriver', value: (row) => row.missedByDriver },
      { word: 'missedByPassenger', value: (row) => row.missedByPassenger },
    ],
  },
  {
    word: 'miles',
    series: [{ word: 'miles', value: (row) => tenths(row.sharedMetres / metresPerMile) }],
  },
  { word: 'co2', series: [{ word: 'co2', value: (row) => tenths(row.savedCo2Grams / 1000) }] },
  {
    word: 'money',
    series: [
      { word: 'held', value: (row) => row.authorizedCents / 100 },
      { word: 'captured', value: (row) => row.capturedCents / 100 },
    ],
  },
  {
    word: 'licenses',
    series: [
      { word: 'licensesDecided', value: (row) => row.licencesDecided },
      {
        word: 'licenseWait',
        value: (row) => (row.licenceWaitMinutes === null ? null : tenths(row.licenceWaitMinutes / 60)),
        noTotal: true,
      },
    ],
  },
];

/** All values of a series together; null for one that cannot be added up. */
export function totalOf({ value, noTotal }: Series, rows: readonly StatisticsRow[]): number | null {
  if (noTotal === true) return null;
  return tenths(rows.reduce((sum, row) => sum + (value(row) ?? 0), 0));
}

/** Everything in one table, as spreadsheets read it; the first column names each period by its first day. */
export function csvOf(rows: readonly StatisticsRow[], heading: (word: Series['word']) => string): string {
  const all = charts.flatMap(({ series }) => series);
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = [
    ['from', ...all.map(({ word }) => quoted(heading(word)))],
    ...rows.map((row) => [row.from, ...all.map(({ value }) => String(value(row) ?? ''))]),
  ];
  // The mark at the start lets spreadsheets read Chinese headings.
  return `\ufeff${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}
