import { expect, test } from 'vitest';
import { placeState } from './place-state.ts';

const stands = { ride: 'matching', request: 'matching' } as const;

test.each([
  ['open', { ...stands, bookings: [] }, 'open'],
  ['open', { ...stands, bookings: ['requesting'] }, 'open'],
  ['open', { ...stands, bookings: ['joined'] }, 'taken'],
  ['open', { ...stands, bookings: ['rejected'] }, 'declined'],
  // Declined once, then asked again on their own.
  ['open', { ...stands, bookings: ['expired', 'inviting'] }, 'open'],
  ['open', { ride: 'cancel', request: 'matching', bookings: [] }, 'gone'],
  ['open', { ride: 'matching', request: 'joined', bookings: [] }, 'gone'],
  ['taken', { ride: 'finished', request: 'finished', bookings: ['finished'] }, 'taken'],
  ['taken', { ride: 'matching', request: 'cancel', bookings: ['cancel'] }, 'gone'],
  ['declined', { ...stands, bookings: [] }, 'declined'],
] as const)('%s with %o is %s', (state, of, expected) => {
  expect(placeState(state, of)).toBe(expected);
});
