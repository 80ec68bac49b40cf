import { expect, test } from 'vitest';
import { labelOf } from './moves.ts';

test.each([
  ['driver', 'matching', [], 'matching'],
  ['driver', 'matching', ['requesting'], 'matching'],
  // Seats are still free, and a passenger has one of them.
  ['driver', 'matching', ['joined'], 'joined'],
  ['driver', 'matching', ['cancel', 'joined', 'requesting'], 'joined'],
  ['driver', 'matching', ['cancel'], 'matching'],
  ['driver', 'full', ['joined'], 'full'],
  ['driver', 'ongoing', ['picked'], 'ongoing'],
  ['passenger', 'joined', ['cancel', 'driver reached'], 'driver reached'],
  ['passenger', 'matching', ['rejected'], 'matching'],
] as const)(
  'a %s’s order that is %s with bookings %j is shown as %s',
  (role, state, bookingStates, label) => {
    expect(labelOf({ role, state, bookingStates })).toBe(label);
  },
);
