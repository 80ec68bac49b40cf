import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { authorizationMove } from './authorization-move.ts';
import { authorizationDueAt } from './next-step.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const inMs = (ms: number) => later(now, ms);

describe('when a hold is placed', () => {
  test.each([
    ['days ahead', 3 * dayMs + 1, 3, 1],
    ['as many days ahead to the millisecond', 3 * dayMs, 3, 0],
    ['nearer than that', 3 * dayMs - 1, 3, 0],
    ['for a ride that is past', -hourMs, 3, 0],
    ['with no days at all: at the ride', hourMs, 0, hourMs],
  ])('%s', (_name, rideMs, days, placedMs) => {
    expect(authorizationDueAt(inMs(rideMs), days, now)).toEqual(inMs(placedMs));
  });
});

describe('a ride that moves', () => {
  const moved = (
    hold: Parameters<typeof authorizationMove>[0],
    rideMs: number,
    placedAt = authorizationDueAt(inMs(rideMs), 3, now),
  ) => authorizationMove(hold, { rideAt: inMs(rideMs), placedAt, now });

  test.each([5 * dayMs, dayMs, -dayMs])('takes a hold along that is not asked for yet (%i ms)', (rideMs) => {
    expect(moved({ isAsked: false, state: 'requires_confirmation', captureBefore: null }, rideMs)).toBe(
      'plan',
    );
  });

  const stands = { isAsked: true, state: 'requires_capture', captureBefore: inMs(7 * dayMs) } as const;
  test.each([
    ['nearer', dayMs, 'keep'],
    ['as far as the hold reaches', 7 * dayMs - 12 * hourMs, 'keep'],
    ['a millisecond farther', 7 * dayMs - 12 * hourMs + 1, 'anew'],
    ['beyond its end', 9 * dayMs, 'anew'],
  ] as const)('and a hold that stands: %s', (_name, rideMs, becomes) => {
    expect(moved(stands, rideMs)).toBe(becomes);
  });

  test.each([
    ['requires_payment_method', 3 * dayMs, 'keep'],
    ['requires_payment_method', 3 * dayMs + 1, 'anew'],
    ['requires_action', 2 * dayMs, 'keep'],
    ['processing', 4 * dayMs, 'anew'],
  ] as const)('and a hold that is %s, to %i ms from now', (state, rideMs, becomes) => {
    expect(moved({ isAsked: true, state, captureBefore: null }, rideMs)).toBe(becomes);
  });
});
