import { expect, test } from 'vitest';
import { sampleBooking, sampleRequest, sampleRide } from '#contract/rides/sample-order.ts';
import { onlyAnswer } from './only-answer.ts';

const ask = (id: string) => sampleBooking({ id, state: 'requesting', may: ['accept', 'reject'] });
const invitation = (id: string) =>
  sampleBooking({ id, state: 'inviting', may: ['acceptInvitation', 'declineInvitation'] });

test('nothing waits for an answer', () => {
  expect(onlyAnswer(sampleRide({ state: 'matching' }))).toBeNull();
  expect(onlyAnswer(sampleRequest({ state: 'matching' }))).toBeNull();
});

test('one ask is answered at the bottom of the page', () => {
  expect(onlyAnswer(sampleRide({ bookings: [ask('leo')] }))?.id).toBe('leo');
});

test('two asks are answered on their cards', () => {
  expect(onlyAnswer(sampleRide({ bookings: [ask('leo'), ask('mia')] }))).toBeNull();
});

test('on the day of the ride the ride comes first', () => {
  const ride = sampleRide({ state: 'waiting', stage: 'In Progress', bookings: [ask('leo')] });
  expect(onlyAnswer(ride)).toBeNull();
});

test('a review that is due comes before an ask', () => {
  const due = sampleBooking({ id: 'ana', state: 'finished', reviewDue: true });
  expect(onlyAnswer(sampleRide({ bookings: [due, ask('leo')] }))).toBeNull();
});

test('one invitation is answered at the bottom, two on their cards', () => {
  expect(onlyAnswer(sampleRequest({ bookings: [invitation('a')] }))?.id).toBe('a');
  expect(onlyAnswer(sampleRequest({ bookings: [invitation('a'), invitation('b')] }))).toBeNull();
});

test('a payment comes before an invitation', () => {
  const unpaid = sampleBooking({ id: 'c', state: 'joined', awaits: 'payment', fareCents: 600 });
  expect(onlyAnswer(sampleRequest({ bookings: [invitation('a'), unpaid] }))).toBeNull();
});
