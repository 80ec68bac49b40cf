import { expect, test } from 'vitest';
import { co2GramsPerMetre } from '#contract/co2.ts';
import { rowsOf } from './rows.ts';

test('each period has its row, empty ones too', () => {
  const rows = rowsOf(
    ['2026-11-19', '2026-11-20'],
    [
      { period: '2026-11-20', name: 'people', bucket: 0, value: 1 },
      { period: '2026-11-20', name: 'people', bucket: 0, value: 2 },
      { period: '2026-11-20', name: 'sharedMetres', bucket: 0, value: 10_000 },
      { period: '2026-11-20', name: 'licenseWait', bucket: 89, value: 1 },
      { period: '2026-11-20', name: 'licenseWait', bucket: 90, value: 1 },
      { period: '2026-11-18', name: 'people', bucket: 0, value: 9 },
    ],
  );
  expect(rows.map(({ from, people }) => [from, people])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-20', 3],
  ]);
  expect(rows[0]).toMatchObject({ joined: 0, sharedMetres: 0, savedCo2Grams: 0, licenceWaitMinutes: null });
  expect(rows[1]).toMatchObject({
    savedCo2Grams: Math.round(10_000 * co2GramsPerMetre),
    licenceWaitMinutes: 90,
  });
});

test.each([
  [[[60, 1]], 60],
  [
    [
      [60, 1],
      [120, 1],
    ],
    90,
  ],
  [
    [
      [60, 1],
      [120, 1],
      [1560, 1],
    ],
    120,
  ],
  [
    [
      [60, 3],
      [120, 2],
    ],
    60,
  ],
  [
    [
      [60, 2],
      [120, 3],
    ],
    120,
  ],
] as const)('of waits %j the middle one is %i', (waits, median) => {
  const parts = waits.map(([bucket, value]) => ({
    period: '2026-11-20',
    name: 'licenseWait',
    bucket,
    value,
  }));
  expect(rowsOf(['2026-11-20'], parts)[0]?.licenceWaitMinutes).toBe(median);
});
