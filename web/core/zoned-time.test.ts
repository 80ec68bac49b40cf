import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { instantOf, localOf, nextLocal } from './zoned-time.ts';

const zone = 'America/Los_Angeles';

test.each([
  ['2026-11-24T07:15', '2026-11-24T15:15:00.000Z'],
  ['2026-07-01T07:15', '2026-07-01T14:15:00.000Z'],
  // 02:30 does not exist on the day of the spring change: an hour later.
  ['2027-03-14T02:30', '2027-03-14T10:30:00.000Z'],
  // 01:30 happens twice on the day of the autumn change: the first.
  ['2026-11-01T01:30', '2026-11-01T08:30:00.000Z'],
])('%s in California is %s', (local, instant) => expect(instantOf(local, zone)).toBe(instant));

test.each(['America/Los_Angeles', 'Europe/Berlin', 'Asia/Shanghai', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
  'every half hour of a year in %s is the instant that Temporal tells',
  (zone) => {
    let local = Temporal.PlainDateTime.from('2027-01-01T00:00');
    for (; local.year === 2027; local = local.add({ minutes: 30 })) {
      const text = local.toString({ smallestUnit: 'minute' });
      const instant = new Date(local.toZonedDateTime(zone).epochMilliseconds).toISOString();
      if (instantOf(text, zone) !== instant) expect([text, instantOf(text, zone)]).toEqual([text, instant]);
    }
  },
);

test.each(['', 'soon', '2026-13-40T07:15', '2026-02-30T07:15', '2026-11-24'])('%j is no time', (text) =>
  expect(instantOf(text, zone)).toBeNull(),
);

test('an instant becomes a picker value and back', () => {
  expect(localOf('2026-11-24T15:15:00.000Z', zone)).toBe('2026-11-24T07:15');
  expect(instantOf(localOf('2026-11-24T15:15:00.000Z', zone), zone)).toBe('2026-11-24T15:15:00.000Z');
});

test('the first value offered is a full quarter, at least half an hour ahead', () => {
  expect(nextLocal(Date.parse('2026-11-24T15:16:00Z'), zone)).toBe('2026-11-24T08:00');
});
