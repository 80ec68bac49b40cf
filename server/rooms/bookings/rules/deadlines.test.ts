import { expect, test } from 'vitest';
import { hoursAhead } from './deadlines.ts';

const departsAt = new Date('2026-11-24T09:00:00Z');

test.each([
  ['2026-11-24T07:00:01Z', [2, 24], 2],
  ['2026-11-24T06:59:59Z', [2, 24], 24],
  ['2026-11-23T08:59:59Z', [2, 24], null],
  ['2026-11-24T06:59:59Z', [48, 6], 6],
  ['2026-11-23T08:59:59Z', [48, 6], 48],
  ['2026-11-24T09:30:00Z', [2, 24], 2],
])('at %s, by the figures %j: %s', (now, figures, hours) => {
  expect(hoursAhead(new Date(now), departsAt, figures)).toBe(hours);
});
