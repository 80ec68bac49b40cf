import { expect, test } from 'vitest';
import { isExact } from './policy.ts';

const now = new Date('2026-11-20T18:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const ride = { driverId: 'mia', bookingId: null, closedAt: null };
const thread = { ...ride, bookingId: 'booking' };

test.each([
  ['the driver, always', ride, 'mia', true],
  ['the driver, in a thread too', { ...thread, closedAt: hoursAgo(90) }, 'mia', true],
  ['who rides along', ride, 'leo', true],
  ['who rode along, for a day', { ...ride, closedAt: hoursAgo(23) }, 'leo', true],
  ['who rode along, after that', { ...ride, closedAt: hoursAgo(25) }, 'leo', false],
  ['who only asks', thread, 'leo', false],
])('exact places: %s', (_, room, viewerId, exact) => {
  expect(isExact(room, viewerId, now)).toBe(exact);
});
