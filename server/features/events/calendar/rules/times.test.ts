import { expect, test } from 'vitest';
import { instantAt } from './times.ts';

test.each([
  ['2026-11-24T18:30', 'America/Los_Angeles', '2026-11-25T02:30:00.000Z'],
  ['2026-07-01T18:30', 'Europe/Lisbon', '2026-07-01T17:30:00.000Z'],
  // Skipped by the spring change, and repeated in autumn.
  ['2027-03-14T02:30', 'America/Los_Angeles', '2027-03-14T10:30:00.000Z'],
  ['2026-11-01T01:30', 'America/Los_Angeles', '2026-11-01T08:30:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantAt(local, zone)?.toISOString()).toBe(instant);
});

test.each(['', '2026-11-24', '2026-02-30T10:00', '2026-11-24T25:00', '2026-11-24T18:30Z', 'soon'])(
  '“%s” is no time',
  (local) => {
    expect(instantAt(local, 'America/Los_Angeles')).toBeNull();
  },
);
