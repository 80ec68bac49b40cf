import { expect, test } from 'vitest';
import { withPending } from './pending-view.ts';
import { sampleBooking, sampleRide } from '#contract/rides/sample-order.ts';
import { waitingTime } from './waiting-time.ts';

const at = '2026-11-24T17:00:00.000Z';
const atMs = Date.parse(at);

test.each([
  [null, atMs, 'unknown'],
  [at, atMs - 1, 'running'],
  [at, atMs, 'over'],
  [at, atMs + 1, 'over'],
] as const)('until %s at %i the waiting time is %s', (from, now, state) => {
  expect(waitingTime(from, now)).toBe(state);
});

test('a driver who says "I am here" without a connection is not told that the waiting time is over', () => {
  const booking = sampleBooking({ id: 'ana', state: 'waiting', may: ['reach'] });
  const ride = sampleRide({ state: 'departed', departsAt: at, bookings: [booking] });
  const [reached] = withPending(ride, [{ name: 'reach', input: { bookingId: 'ana' } }], atMs).bookings;
  expect(reached?.state).toBe('driver reached');
  expect(waitingTime(reached?.noShowFrom ?? null, atMs)).toBe('unknown');
});
