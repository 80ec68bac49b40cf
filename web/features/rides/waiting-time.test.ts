import { expect, test } from 'vitest';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { withPending } from './pending-view.ts';
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
  const booking = { id: 'ana', state: 'waiting', may: ['reach'], metBy: null, noShowFrom: null };
  const ride = {
    state: 'departed',
    label: 'departed',
    mine: true,
    departsAt: at,
    may: [],
    bookings: [booking as unknown as Booking],
    stops: [],
  } as unknown as Ride;
  const [reached] = withPending(ride, [{ name: 'reach', input: { bookingId: 'ana' } }], atMs).bookings;
  expect(reached?.state).toBe('driver reached');
  expect(waitingTime(reached?.noShowFrom ?? null, atMs)).toBe('unknown');
});
