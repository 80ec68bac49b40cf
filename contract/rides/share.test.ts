import { describe, expect, test } from 'vitest';
import type { Booking } from './views.ts';
import { shareIs, shareOf } from './share.ts';

const payment = (capturedCents: number, refundedCents = 0) =>
  ({ capturedCents, refundedCents }) as Booking['payment'];

describe('a share, said the same way everywhere', () => {
  test.each<[Booking['state'], Booking['payment'], 'perPerson' | 'perCar', string]>([
    ['joined', null, 'perPerson', 'exact'],
    ['joined', payment(0), 'perPerson', 'exact'],
    ['joined', payment(0), 'perCar', 'upTo'],
    ['inviting', null, 'perCar', 'upTo'],
    ['picked', payment(0), 'perCar', 'upTo'],
    ['finished', null, 'perCar', 'exact'],
    ['finished', payment(0), 'perCar', 'exact'],
    ['finished', payment(550), 'perPerson', 'paid'],
    ['finished', payment(550), 'perCar', 'paid'],
    ['cancel', payment(275), 'perPerson', 'paid'],
  ])('%s, %o, %s: %s', (state, paid, priceKind, is) => {
    expect(shareIs({ state, payment: paid }, priceKind)).toBe(is);
  });

  test.each([
    [null, 550],
    [payment(0), 550],
    [payment(400), 400],
    [payment(400, 100), 300],
  ])('%o of a fare of 550 is %i', (paid, cents) => {
    expect(shareOf({ fareCents: 550, payment: paid })).toBe(cents);
  });
});
