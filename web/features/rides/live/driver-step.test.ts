import { describe, expect, test } from 'vitest';
import type { Booking, Ride } from '#contract/rides/views.ts';
import { driverStep } from './driver-step.ts';
import { sampleBooking, sampleRide, sampleStop } from '#contract/rides/sample-order.ts';

const booking = (id: string, state: Booking['state'], may: Booking['may'] = []) =>
  sampleBooking({ id, state, may });
const stop = (kind: Ride['stops'][number]['kind'], bookingId: string | null = null) =>
  sampleStop({ kind, bookingId });
const stops = [
  stop('start'),
  stop('pickup', 'leo'),
  stop('pickup', 'ana'),
  stop('dropoff', 'leo'),
  stop('dropoff', 'ana'),
  stop('end'),
];
const ride = (state: Ride['state'], bookings: Booking[], may: Ride['may'] = []) =>
  sampleRide({ state, bookings, may, stops });

describe('the next step of a driver', () => {
  test.each([
    ['matching', 'tooEarly'],
    ['full', 'tooEarly'],
    ['waiting', 'reachStart'],
    ['finished', 'over'],
    ['cancel', 'over'],
    ['expired', 'over'],
  ] as const)('a ride that is %s: %s', (state, kind) => {
    expect(driverStep(ride(state, [])).kind).toBe(kind);
  });

  test('whoever stands at the car boards before the ride departs', () => {
    const step = driverStep(ride('driver reached', [booking('leo', 'driver reached', ['meet'])]));
    expect(step).toMatchObject({ kind: 'board', booking: { id: 'leo' }, stop: { kind: 'pickup' } });
  });

  test('nobody at the start: depart, once the time allows it', () => {
    expect(driverStep(ride('driver reached', []))).toEqual({ kind: 'depart', allowed: false });
    expect(driverStep(ride('driver reached', [], ['depart']))).toEqual({ kind: 'depart', allowed: true });
  });

  test('on the way the stops come in their order', () => {
    const leo = booking('leo', 'picked', ['dropOff']);
    expect(driverStep(ride('departed', [leo, booking('ana', 'waiting', ['reach'])]))).toMatchObject({
      kind: 'reachPickup',
      booking: { id: 'ana' },
    });
    expect(driverStep(ride('ongoing', [leo, booking('ana', 'picked', ['dropOff'])]))).toMatchObject({
      kind: 'dropOff',
      booking: { id: 'leo' },
    });
  });

  test('a stop of the driver’s own comes in its turn, until it is left', () => {
    const leo = booking('leo', 'picked', ['dropOff']);
    const via = (passed: boolean) => ({ ...stop('via'), passed });
    const on = (first: boolean, second: boolean) =>
      driverStep({
        ...ride('ongoing', [leo]),
        stops: [stop('start'), via(first), stop('dropoff', 'leo'), via(second), stop('end')],
      });
    expect(on(false, false)).toMatchObject({ kind: 'passStop', number: 1 });
    expect(on(true, false)).toMatchObject({ kind: 'dropOff' });
    expect(
      driverStep({ ...ride('departed', []), stops: [stop('start'), via(true), via(false)] }),
    ).toMatchObject({ kind: 'passStop', number: 2 });
  });

  test('everybody is dropped off or did not come: the ride ends', () => {
    expect(driverStep(ride('ongoing', [booking('leo', 'finished'), booking('ana', 'missed')]))).toMatchObject(
      {
        kind: 'arrive',
        stop: { kind: 'end' },
      },
    );
  });
});
