import { expect, test } from 'vitest';
import { localHour } from './local-hour.ts';

const at = (iso: string) => new Date(iso);

test.each([
  // A Tuesday in California: midnight, the morning peak, the last minute of an hour and the first of the
  // next.
  ['2026-11-24T08:00:00Z', 'America/Los_Angeles', 2, 0],
  ['2026-11-24T16:30:00Z', 'America/Los_Angeles', 2, 8],
  ['2026-11-25T00:59:59.999Z', 'America/Los_Angeles', 2, 16],
  ['2026-11-25T01:00:00Z', 'America/Los_Angeles', 2, 17],
  // Daylight saving time, and the repeated hour in autumn.
  ['2026-07-01T00:00:00Z', 'America/Los_Angeles', 2, 17],
  ['2026-11-01T08:30:00Z', 'America/Los_Angeles', 7, 1],
  ['2026-11-01T09:30:00Z', 'America/Los_Angeles', 7, 1],
  // Another day on the other side of the world, and a zone that is a quarter of an hour off.
  ['2026-11-27T23:00:00Z', 'Asia/Shanghai', 6, 7],
  ['2026-11-24T00:14:59Z', 'Asia/Kathmandu', 2, 5],
  ['2026-11-24T00:15:00Z', 'Asia/Kathmandu', 2, 6],
])('%s in %s is hour %s:%s', (iso, timeZone, weekday, hour) => {
  expect(localHour(at(iso), timeZone)).toEqual({ weekday, hour });
  expect(localHour(at(iso), timeZone)).toEqual({ weekday, hour });
});
