import { expect, test } from 'vitest';
import type { StatisticsRow } from '#contract/admin/endpoints.ts';
import { charts, csvOf, totalOf } from './series.ts';

const row = (from: string, part: Partial<StatisticsRow> = {}): StatisticsRow => ({
  from,
  people: 0,
  rides: 0,
  requests: 0,
  matches: 0,
  joined: 0,
  finished: 0,
  cancelledByDriver: 0,
  cancelledByPassenger: 0,
  missedByDriver: 0,
  missedByPassenger: 0,
  sharedMetres: 0,
  savedCo2Grams: 0,
  authorizedCents: 0,
  capturedCents: 0,
  licencesDecided: 0,
  licenceWaitMinutes: null,
  ...part,
});
const rows = [
  row('2026-11-16', {
    people: 2,
    sharedMetres: 16_093,
    authorizedCents: 1250,
    licenceWaitMinutes: 90,
    licencesDecided: 1,
  }),
  row('2026-11-23', { people: 3, savedCo2Grams: 1250 }),
];
const recurringOf = (word: string) =>
  charts.flatMap(({ series }) => series).find((each) => each.word === word)!;

test('totals are added up where that means something', () => {
  expect(totalOf(recurringOf('people'), rows)).toBe(5);
  expect(totalOf(recurringOf('miles'), rows)).toBe(10);
  expect(totalOf(recurringOf('licenseWait'), rows)).toBeNull();
});

test('the table has every series, with commas and quotes kept apart', () => {
  const [heading, first, second, end] = csvOf(rows, (word) =>
    word === 'people' ? 'New "people", all' : word,
  )
    .slice(1)
    .split('\r\n');
  expect(heading).toContain('from,"New ""people"", all","rides"');
  expect(heading?.match(/"(?:[^"]|"")*"/g)).toHaveLength(charts.flatMap(({ series }) => series).length);
  expect(first).toBe('2026-11-16,2,0,0,0,0,0,0,0,0,0,10,0,12.5,0,1,1.5');
  expect(second).toBe('2026-11-23,3,0,0,0,0,0,0,0,0,0,0,1.3,0,0,0,');
  expect(end).toBe('');
});
