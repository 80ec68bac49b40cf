import { describe, expect, test } from 'vitest';
import { sampleBooking, sampleRequest, sampleRide, sampleStop } from './sample-order.ts';
import type { Booking, NextAction, Ride } from './views.ts';

const soon = '2026-11-24T15:00:00.000Z';
const later = '2026-11-24T16:00:00.000Z';
const kindOf = ({ nextAction }: { nextAction: NextAction | null }) => nextAction?.kind ?? null;

describe('a driver', () => {
  test('answers the passengers who ask, by the first instant at which one of them ends', () => {
    const asks = [
      sampleBooking({ id: 'ana', state: 'requesting', may: ['accept', 'reject'], expiresAt: later }),
      sampleBooking({ id: 'ben', state: 'requesting', may: ['accept', 'reject'], expiresAt: soon }),
    ];
    expect(sampleRide({ bookings: asks, stage: 'Requesting' }).nextAction).toEqual({
      kind: 'answerRequest',
      bookingId: 'ana',
      name: 'Ana',
      count: 2,
      until: soon,
      costCents: null,
    });
  });

  test.each<[NextAction['kind'] | null, Partial<Ride>]>([
    ['findRiders', {}],
    [null, { state: 'full', stage: 'Joined' }],
    [null, { state: 'finished', stage: 'Completed' }],
    ['review', { state: 'finished', stage: 'Completed', bookings: [sampleBooking({ reviewDue: true })] }],
    [
      'sayTookPlace',
      {
        state: 'finished',
        stage: 'Completed',
        bookings: [sampleBooking({ reviewDue: true, unclear: { answerBy: later, mine: null } })],
      },
    ],
    [
      'review',
      {
        stage: 'Completed',
        bookings: [sampleBooking({ reviewDue: true, unclear: { answerBy: later, mine: true } })],
      },
    ],
  ])('does %s', (kind, fields) => {
    expect(kindOf(sampleRide(fields))).toBe(kind);
  });
});

describe('a driver on the day', () => {
  const stops = [
    sampleStop({ kind: 'start' }),
    sampleStop({ kind: 'pickup', bookingId: 'leo' }),
    sampleStop({ kind: 'pickup', bookingId: 'ana' }),
    sampleStop({ kind: 'dropoff', bookingId: 'leo' }),
    sampleStop({ kind: 'dropoff', bookingId: 'ana' }),
    sampleStop({ kind: 'end' }),
  ];
  const booking = (id: string, state: Booking['state'], may: Booking['may'] = []) =>
    sampleBooking({ id, state, may });
  const onTheDay = (state: Ride['state'], bookings: Booking[], fields: Partial<Ride> = {}) =>
    sampleRide({ state, bookings, stops, stage: 'In Progress', ...fields }).nextAction;

  test('goes to the start, and departs once every passenger there is on board', () => {
    expect(onTheDay('waiting', [])).toMatchObject({ kind: 'reachStart' });
    const atTheCar = booking('leo', 'driver reached', ['meet']);
    expect(onTheDay('driver reached', [atTheCar])).toMatchObject({ kind: 'board', bookingId: 'leo' });
    expect(onTheDay('driver reached', [])).toMatchObject({ kind: 'depart' });
  });

  test('takes the stops in their order, and arrives when none is left', () => {
    const leo = booking('leo', 'picked', ['dropOff']);
    const ana = booking('ana', 'waiting', ['reach']);
    expect(onTheDay('departed', [leo, ana])).toMatchObject({ kind: 'reachPickup', bookingId: 'ana' });
    expect(onTheDay('ongoing', [leo, booking('ana', 'picked', ['dropOff'])])).toMatchObject({
      kind: 'dropOff',
      bookingId: 'leo',
    });
    expect(onTheDay('ongoing', [booking('leo', 'finished')])).toMatchObject({ kind: 'arrive' });
  });

  test('passes a stop of their own in its turn', () => {
    const leo = booking('leo', 'picked', ['dropOff']);
    const via = (passed: boolean) => [sampleStop({ kind: 'via', passed }), ...stops];
    expect(onTheDay('ongoing', [leo], { stops: via(false) })).toMatchObject({ kind: 'passStop' });
    expect(onTheDay('ongoing', [leo], { stops: via(true) })).toMatchObject({ kind: 'dropOff' });
  });
});

describe('a passenger', () => {
  const ride = sampleRide({ mine: false, roomId: 'ride' });
  const withBooking = (fields: Partial<Booking>, of: Partial<Ride> = {}) =>
    sampleRequest({ bookings: [sampleBooking(fields)], ride: { ...ride, ...of } }).nextAction;

  test('accepts an invitation: what it costs, until when, and of whom', () => {
    const invited = {
      state: 'inviting',
      may: ['acceptInvitation'],
      fareCents: 550,
      expiresAt: soon,
    } as const;
    expect(withBooking({ ...invited, may: [...invited.may] })).toEqual({
      kind: 'acceptInvitation',
      bookingId: 'ana',
      name: 'Mia',
      count: 1,
      until: soon,
      costCents: 550,
    });
  });

  test.each<[NextAction['kind'] | null, Partial<Booking>, Partial<Ride>]>([
    ['awaitPayment', { state: 'waiting for passenger acceptance', awaits: 'payment' }, {}],
    ['followRide', { state: 'waiting' }, {}],
    ['followRide', { state: 'picked' }, {}],
    ['message', { state: 'joined' }, {}],
    [null, { state: 'joined' }, { roomId: null }],
    ['review', { state: 'finished', reviewDue: true }, {}],
    ['sayTookPlace', { state: 'waiting', unclear: { answerBy: later, mine: null } }, {}],
  ])('does %s', (kind, booking, of) => {
    expect(withBooking(booking, of)?.kind ?? null).toBe(kind);
  });

  test('answers a change that the driver proposes before anything that can wait', () => {
    const change = {
      id: 'change',
      departsAt: later,
      costCents: 700,
      way: null,
      note: '',
      expiresAt: soon,
      accepted: 0,
      asked: 1,
      fareCents: 700,
      may: ['accept', 'decline'] as ('accept' | 'decline')[],
    };
    expect(withBooking({ state: 'joined' }, { change })).toMatchObject({
      kind: 'answerChange',
      until: soon,
      costCents: 700,
    });
  });

  test('without a ride looks for one, first of all or further, and asks again when it is over', () => {
    expect(kindOf(sampleRequest())).toBe('findRides');
    expect(kindOf(sampleRequest({ state: 'requesting' }))).toBe('findMoreRides');
    const letDown = sampleBooking({ state: 'cancel' });
    expect(kindOf(sampleRequest({ bookings: [letDown] }))).toBe('findMoreRides');
    expect(kindOf(sampleRequest({ state: 'expired', stage: 'Completed' }))).toBe('requestAgain');
  });
});

describe('who looks at another person’s order', () => {
  test.each<[NextAction['kind'] | null, Partial<Ride>]>([
    ['requestSeat', {}],
    ['joinWaitlist', { seatsFree: 0 }],
    ['joinWaitlist', { state: 'full' }],
    [null, { state: 'departed' }],
    [null, { bookings: [sampleBooking({ state: 'requesting' })] }],
    ['followRide', { bookings: [sampleBooking({ state: 'driver reached' })] }],
  ])('does %s about a ride', (kind, fields) => {
    expect(kindOf(sampleRide({ mine: false, ...fields }))).toBe(kind);
  });

  test('offers a ride for an open request that they have nothing to do with yet', () => {
    expect(kindOf(sampleRequest({ mine: false }))).toBe('offerRide');
    expect(kindOf(sampleRequest({ mine: false, state: 'joined' }))).toBeNull();
    expect(kindOf(sampleRequest({ mine: false, bookings: [sampleBooking()] }))).toBeNull();
  });
});
