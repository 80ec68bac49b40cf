import { expect, test } from 'vitest';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { driverStep } from './driver-step.ts';
import { withPending } from './pending-view.ts';
import { sampleBooking, sampleRide, sampleStop } from '#contract/rides/sample-order.ts';

const departsAt = '2026-11-24T17:00:00.000Z';
const departsMs = Date.parse(departsAt);
const later = (minutes: number) => new Date(departsMs + minutes * 60_000).toISOString();
const booking = (id: string, state: Booking['state'], may: Booking['may'] = []) =>
  sampleBooking({ id, state, may, boardsAtStart: id === 'leo' });
const ride = (state: Ride['state'], bookings: Booking[]) =>
  sampleRide({
    state,
    departsAt,
    may: state === 'waiting' ? ['reach'] : [],
    bookings,
    stops: [
      sampleStop({ kind: 'start', bookingId: null, at: departsAt }),
      sampleStop({ kind: 'pickup', bookingId: 'leo', at: later(1) }),
      sampleStop({ kind: 'pickup', bookingId: 'ana', at: later(10) }),
      sampleStop({ kind: 'dropoff', bookingId: 'leo', at: later(20) }),
      sampleStop({ kind: 'dropoff', bookingId: 'ana', at: later(25) }),
      sampleStop({ kind: 'end', bookingId: null, at: later(30) }),
    ],
  });
const step = (
  name: Parameters<typeof withPending>[1][number]['name'],
  input: Record<string, unknown> = {},
) => ({
  name,
  input,
});

test('a whole ride without a connection, step by step', () => {
  const start = ride('waiting', [booking('leo', 'waiting'), booking('ana', 'waiting')]);
  const steps = [
    [step('reach'), 'driver reached', 'board'],
    [step('pickUp', { bookingId: 'leo', code: 'x' }), 'driver reached', 'depart'],
    [step('depart'), 'departed', 'reachPickup'],
    [step('reach', { bookingId: 'ana' }), 'picking', 'board'],
    [step('pickUp', { bookingId: 'ana', pin: '1234' }), 'ongoing', 'dropOff'],
    [step('arrive', { bookingId: 'leo' }), 'ongoing', 'dropOff'],
    [step('arrive', { bookingId: 'ana' }), 'ongoing', 'arrive'],
    [step('arrive'), 'finished', 'over'],
  ] as const;
  for (const [index, [, state, next]] of steps.entries()) {
    const done = steps.slice(0, index + 1).map(([each]) => each);
    const view = withPending(start, done, departsMs);
    expect(view.state, `after ${index + 1} steps`).toBe(state);
    expect(driverStep(view).kind, `after ${index + 1} steps`).toBe(next);
  }
});

test('a driver at the start has reached only those who board there, as the server says', () => {
  const near = { ...booking('leo', 'waiting'), boardsAtStart: false };
  const view = withPending(ride('waiting', [near, booking('ana', 'waiting')]), [step('reach')], departsMs);
  expect(view.bookings.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  expect(view.may).toEqual(['depart']);
});

test('a driver alone cannot say that somebody is on board', () => {
  const start = ride('picking', [booking('ana', 'driver reached', ['meet'])]);
  const met = withPending(start, [step('pickUp', { bookingId: 'ana' })], departsMs);
  expect(met.bookings[0]).toMatchObject({ state: 'picking', metBy: 'driver', may: ['undoMeet'] });
  const undone = withPending(met, [step('pickUp', { bookingId: 'ana', undo: true })], departsMs);
  expect(undone.bookings[0]).toMatchObject({ state: 'driver reached', metBy: null });
});

test('until both have confirmed, either takes it back, and the passenger may report the driver', () => {
  const start = ride('picking', [
    { ...booking('ana', 'picking', ['board', 'undoMeet', 'reportDriver']), metBy: 'driver' },
  ]);
  const undone = withPending(start, [step('confirmMeeting', { bookingId: 'ana', undo: true })], departsMs);
  expect(undone.bookings[0]).toMatchObject({
    state: 'driver reached',
    metBy: null,
    may: ['meet', 'reportDriver'],
  });
  const reported = withPending(start, [step('reportDriver', { bookingId: 'ana' })], departsMs);
  expect(reported.bookings[0]).toMatchObject({ state: 'missed', metBy: null, may: [] });
  const met = withPending(undone, [step('confirmMeeting', { bookingId: 'ana' })], departsMs);
  expect(met.bookings[0]).toMatchObject({ metBy: 'passenger', may: ['undoMeet', 'reportDriver'] });
});

test('whom nobody met is missed, and an empty ride may end', () => {
  const start = ride('picking', [booking('ana', 'driver reached', ['meet', 'noShow'])]);
  const view = withPending(start, [step('noShow', { bookingId: 'ana' })], departsMs);
  expect(view).toMatchObject({ state: 'picking', may: ['endEmpty'], bookings: [{ state: 'missed' }] });
});

test('what has happened already is not guessed once more', () => {
  const done = ride('ongoing', [booking('ana', 'picked', ['dropOff'])]);
  const steps = [step('reach'), step('depart'), step('pickUp', { bookingId: 'ana', code: 'x' })];
  expect(withPending(done, steps, departsMs)).toMatchObject({
    state: 'ongoing',
    bookings: [{ state: 'picked', may: ['dropOff'] }],
  });
});

test('nobody leaves much too early for those who still come', () => {
  const start = ride('waiting', [booking('ana', 'waiting')]);
  expect(withPending(start, [step('reach')], departsMs - 30 * 60_000).may).toEqual([]);
  expect(withPending(start, [step('reach')], departsMs - 4 * 60_000).may).toEqual(['depart']);
});

test('a stop of the driver’s own is left, and one who was missed boards once both have said so', () => {
  const missed = { ...booking('leo', 'missed', ['boardLate']), metBy: 'passenger' as const };
  const under = ride('departed', [missed, booking('ana', 'missed', ['meetLate'])]);
  const via = sampleStop({
    kind: 'via',
    bookingId: null,
    at: later(5),
    passed: false,
  });
  const start = { ...under, stops: [...under.stops.slice(0, 1), via, ...under.stops.slice(1)] };
  const steps = [
    step('passStop', { stop: 1 }),
    step('pickUp', { bookingId: 'leo' }),
    step('pickUp', { bookingId: 'ana' }),
  ];
  const after = withPending(start, steps, departsMs);
  expect(after.stops[1]).toMatchObject({ passed: true });
  expect(after).toMatchObject({
    state: 'ongoing',
    bookings: [
      { state: 'picked', may: [] },
      { state: 'missed', metBy: 'driver', may: [] },
    ],
  });
  const proved = withPending(start, [step('pickUp', { bookingId: 'ana', pin: '1234' })], departsMs);
  expect(proved.bookings[1]).toMatchObject({ state: 'picked', metBy: null });
});
