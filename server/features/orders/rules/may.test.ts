import { describe, expect, test } from 'vitest';
import type { BookingState } from '#contract/rides/moves.ts';
import {
  mayMoveBooking,
  mayMoveRequest,
  mayMoveRide,
  minuteMs,
  noShowFrom,
  waitMs,
  type BookingFacts,
  type RideFacts,
} from './may.ts';

const departsAt = new Date('2026-11-24T15:00:00Z');
const before = (minutes: number) => new Date(departsAt.getTime() - minutes * minuteMs);
const after = (minutes: number) => before(-minutes);
const booking = (state: BookingState, fields: Partial<BookingFacts> = {}): BookingFacts => ({
  state,
  awaits: null,
  metBy: null,
  pickupAt: after(10),
  reachedAt: null,
  isUnclear: false,
  isContacted: false,
  boardsAtStart: false,
  ...fields,
});
const ride = (
  state: RideFacts['state'],
  bookings: BookingFacts[] = [],
  fields: Partial<RideFacts> = {},
): RideFacts => ({ state, departsAt, driveMetres: 15_000, startsAtAirport: false, bookings, ...fields });

describe('a driver', () => {
  test('cancels before leaving', () =>
    expect(mayMoveRide(ride('matching'), before(600))).toEqual(['cancel']));
  test('reaches the start within the last hour', () => {
    expect(mayMoveRide(ride('waiting'), before(61))).not.toContain('reach');
    expect(mayMoveRide(ride('waiting'), before(60))).toContain('reach');
  });
  test('leaves 5 minutes early at most while somebody is still to come, at any time when all are on board', () => {
    expect(mayMoveRide(ride('driver reached', [booking('waiting')]), before(6))).not.toContain('depart');
    expect(mayMoveRide(ride('driver reached', [booking('waiting')]), before(5))).toContain('depart');
    expect(mayMoveRide(ride('driver reached', [booking('picked')]), before(30))).toContain('depart');
  });
  test('does not leave somebody standing at the start', () => {
    const atStart = booking('driver reached', { boardsAtStart: true });
    expect(mayMoveRide(ride('driver reached', [atStart]), after(3))).not.toContain('depart');
    expect(
      mayMoveRide(ride('driver reached', [booking('missed', { boardsAtStart: true })]), after(20)),
    ).toContain('depart');
  });
  test('once it has left, ends it on the way while somebody is to be brought, else as empty', () => {
    for (const state of ['picked', 'waiting'] as const)
      expect(mayMoveRide(ride('departed', [booking(state)]), after(5))).toEqual(['breakOff']);
    expect(mayMoveRide(ride('departed', [booking('missed')]), after(5))).toEqual(['endEmpty']);
    expect(mayMoveRide(ride('driver reached', [booking('picked')]), before(30))).not.toContain('breakOff');
  });
});

describe('a meeting', () => {
  const under = ride('picking');
  test('is confirmed by one side and completed by the other', () => {
    expect(mayMoveBooking(under, booking('driver reached'), 'driver', after(10))).toContain('meet');
    const met = booking('picking', { metBy: 'driver' });
    expect(mayMoveBooking(under, met, 'driver', after(10))).toEqual(['undoMeet']);
    expect(mayMoveBooking(under, met, 'passenger', after(10))).toEqual(['board', 'undoMeet', 'reportDriver']);
    const metByPassenger = booking('picking', { metBy: 'passenger' });
    expect(mayMoveBooking(under, metByPassenger, 'driver', after(10))).toEqual(['board', 'undoMeet']);
    expect(mayMoveBooking(under, metByPassenger, 'passenger', after(10))).toEqual([
      'undoMeet',
      'reportDriver',
    ]);
  });
  test('is missed by the passenger after the wait, which starts at the agreed time', () => {
    const reached = booking('driver reached', { reachedAt: after(4), isContacted: true });
    expect(noShowFrom(under, reached)).toEqual(after(15));
    expect(mayMoveBooking(under, reached, 'driver', after(14))).not.toContain('noShow');
    expect(mayMoveBooking(under, reached, 'driver', after(15))).toContain('noShow');
  });
  test('is missed by the passenger only after the driver tried to contact them, and not while both are asked', () => {
    const reached = { reachedAt: after(4), isContacted: true };
    const moves = (fields: Partial<BookingFacts>) =>
      mayMoveBooking(under, booking('driver reached', { ...reached, ...fields }), 'driver', after(60));
    expect(moves({})).toContain('noShow');
    expect(moves({ isContacted: false })).not.toContain('noShow');
    expect(moves({ isUnclear: true })).not.toContain('noShow');
  });
  test('is missed by the driver 15 minutes after the agreed time, and at once where the driver says to be there', () => {
    expect(mayMoveBooking(under, booking('waiting'), 'passenger', after(24))).not.toContain('reportDriver');
    expect(mayMoveBooking(under, booking('waiting'), 'passenger', after(25))).toContain('reportDriver');
    for (const state of ['driver reached', 'picking'] as const)
      expect(mayMoveBooking(under, booking(state), 'passenger', after(0))).toContain('reportDriver');
    expect(mayMoveBooking(under, booking('picked'), 'passenger', after(60))).not.toContain('reportDriver');
  });
  test.each([
    ['a short trip', ride('waiting'), 5],
    ['a trip over 50 miles', ride('waiting', [], { driveMetres: 80_468 }), 10],
    ['an airport', ride('waiting', [], { startsAtAirport: true }), 30],
  ])('the driver waits at %s', (_name, facts, minutes) => expect(waitMs(facts)).toBe(minutes * minuteMs));
});

test('a passenger cancels a request until they are being picked up', () => {
  expect(mayMoveRequest('matching', null)).toEqual(['cancel']);
  expect(mayMoveRequest('joined', 'waiting')).toEqual(['cancel']);
  expect(mayMoveRequest('joined', 'picked')).toEqual([]);
  expect(mayMoveRequest('finished', 'finished')).toEqual([]);
});
