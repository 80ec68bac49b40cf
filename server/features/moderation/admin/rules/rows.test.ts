import { expect, test } from 'vitest';
import { co2GramsPerMetre } from '#contract/co2.ts';
import { rowsOf } from './rows.ts';

test('each period has its row, empty ones too', () => {
  const rows = rowsOf(
    ['2026-11-19', '2026-11-20'],
    [
      { period: '2026-11-20', name: 'people', value: 3 },
      { period: '2026-11-20', name: 'sharedMetres', value: 10_000 },
      { period: '2026-11-20', name: 'licenceWaitMinutes', value: 89.5 },
      { period: '2026-11-18', name: 'people', value: 9 },
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
