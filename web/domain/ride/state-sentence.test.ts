import { expect, test } from 'vitest';
import { bookingStates, requestStates, rideStates } from '#contract/rides/moves.ts';
import { sampleBooking, sampleRequest, sampleRide } from '#contract/rides/sample-order.ts';
import { stateSentence } from './state-sentence.ts';

test.each([
  ['matching', 'looking'],
  ['full', 'full'],
  ['waiting', 'startAt'],
  ['driver reached', 'leaveAt'],
  ['departed', 'driving'],
  ['picking', 'driving'],
  ['ongoing', 'driving'],
  ['finished', 'droveAlone'],
  ['cancel', 'canceledRide'],
  ['expired', 'noRider'],
] as const)('a ride of my own that is %s: %s', (state, key) => {
  expect(rideStates).toContain(state);
  expect(stateSentence(sampleRide({ state, mine: true }))?.key).toBe(key);
});

test('a ride that still has seats names those who ride along', () => {
  const { driver } = sampleRide();
  const ride = sampleRide({ mine: true, passengers: [{ ...driver, name: 'Leo Park' }], seatsFree: 2 });
  expect(stateSentence(ride)).toEqual({ key: 'joined', name: 'Leo', count: 1, free: 2 });
});

test('a passenger who asks comes before all else', () => {
  const bookings = [sampleBooking({ state: 'requesting' })];
  expect(stateSentence(sampleRide({ mine: true, bookings }))).toMatchObject({
    key: 'wantsToRide',
    name: 'Ana',
  });
});

test.each([
  ['requesting', 'asked'],
  ['inviting', 'invited'],
  ['waiting for passenger acceptance', 'invited'],
  ['joined', 'seatAgreed'],
  ['waiting', 'beThere'],
  ['driver reached', 'driverHere'],
  ['picking', 'driverHere'],
  ['picked', 'onBoard'],
] as const)('a place of mine that is %s: %s', (state, key) => {
  expect(bookingStates).toContain(state);
  const request = sampleRequest({ mine: true, bookings: [sampleBooking({ state })] });
  expect(stateSentence(request)?.key).toBe(key);
});

test.each([
  ['matching', 'lookingForRide'],
  ['cancel', 'canceledRequest'],
  ['expired', 'notFound'],
  ['missed', 'missed'],
] as const)('a request of my own that is %s: %s', (state, key) => {
  expect(requestStates).toContain(state);
  expect(stateSentence(sampleRequest({ mine: true, state, bookings: [] }))?.key).toBe(key);
});

test('two drivers who were asked are counted', () => {
  const bookings = [
    sampleBooking({ id: 'a', state: 'requesting' }),
    sampleBooking({ id: 'b', state: 'requesting' }),
  ];
  expect(stateSentence(sampleRequest({ mine: true, bookings }))).toEqual({ key: 'askedMany', count: 2 });
});

test('the ride of another person says nothing about me', () => {
  expect(stateSentence(sampleRide({ mine: false }))).toBeNull();
});
