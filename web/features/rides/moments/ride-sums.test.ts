import { expect, test } from 'vitest';
import { sampleBooking } from '#contract/rides/sample-order.ts';
import type { Booking } from '#contract/rides/views.ts';
import type { FeeTerms } from '#contract/payments/fees.ts';
import { rideSums } from './ride-sums.ts';

const terms: FeeTerms = {
  serviceFeeBasisPoints: 1_000,
  cardFeeBasisPoints: 0,
  cardFeeCents: 30,
};
const payment: NonNullable<Booking['payment']> = {
  state: 'succeeded',
  need: null,
  reminder: null,
  amountCents: 12_00,
  authorizedCents: 0,
  capturedCents: 12_00,
  refundedCents: 0,
  kind: 'fare',
  holdAt: null,
  captureAt: null,
  owedCents: 0,
  actionUrl: null,
  declineCode: null,
  disputableUntil: null,
  dispute: null,
};
const ridden = (fields: Partial<Booking>) =>
  sampleBooking({ state: 'finished', savedCo2Grams: 1_500, ...fields });

test('two riders, of whom one paid: the share less the fees, and the CO₂ of both', () => {
  const bookings = [ridden({ id: 'a', payment, fareCents: 12_00 }), ridden({ id: 'b' })];
  expect(rideSums({ bookings }, terms)).toEqual({ riders: 2, earnedCents: 10_50, savedCo2Grams: 3_000 });
});

test('those who did not ride do not count', () => {
  const bookings = [ridden({ id: 'a', state: 'missed', payment, fareCents: 12_00 })];
  expect(rideSums({ bookings }, terms)).toEqual({ riders: 0, earnedCents: 0, savedCo2Grams: 0 });
});

test('while the fees are not known, no sum is claimed', () => {
  expect(rideSums({ bookings: [ridden({})] }, undefined).earnedCents).toBeNull();
});
