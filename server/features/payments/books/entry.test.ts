import { expect, test } from 'vitest';
import { entryOf } from './compare-books.ts';

const line = (type: string, amountCents: number, feeCents = 0, category = type) => ({
  type,
  category,
  amountCents,
  feeCents,
  netCents: amountCents - feeCents,
});

test.each([
  [
    'a payment, less what the provider takes for it',
    line('charge', 20_00, 88),
    { 'provider.balance': 19_12, 'provider.fees': 88, 'provider.cards': -20_00 },
  ],
  [
    'what goes on to the driver',
    line('transfer', -20_00),
    { 'provider.balance': -20_00, 'provider.drivers': 20_00 },
  ],
  [
    'the platform’s fee, from the driver',
    line('application_fee', 2_88),
    { 'provider.balance': 2_88, 'provider.drivers': -2_88 },
  ],
  [
    'a refund: the provider keeps its fee',
    line('refund', -5_00),
    { 'provider.balance': -5_00, 'provider.cards': 5_00 },
  ],
  [
    'a dispute with its fee',
    line('adjustment', -20_00, 15_00, 'dispute'),
    { 'provider.balance': -35_00, 'provider.disputes': 20_00, 'provider.disputeFees': 15_00 },
  ],
  [
    'a dispute that is won, its fee back',
    line('adjustment', 20_00, -15_00, 'dispute_reversal'),
    { 'provider.balance': 35_00, 'provider.disputes': -20_00, 'provider.disputeFees': -15_00 },
  ],
  ['a payout', line('payout', -100_00), { 'provider.balance': -100_00, payouts: 100_00 }],
  [
    'a payout that came back',
    line('payout_failure', 100_00),
    { 'provider.balance': 100_00, payouts: -100_00 },
  ],
  ['what the operator pays in', line('topup', 50_00), { 'provider.balance': 50_00, payouts: -50_00 }],
  [
    'the provider’s own bill',
    line('stripe_fee', -7_00),
    { 'provider.balance': -7_00, 'provider.fees': 7_00 },
  ],
  [
    'what a driver’s account owes',
    line('connect_collection_transfer', -3_00),
    { 'provider.balance': -3_00, losses: 3_00 },
  ],
  [
    'what nobody knew of',
    line('climate_order_purchase', -1),
    { 'provider.balance': -1, 'provider.other': 1 },
  ],
  ['nothing', line('adjustment', 0), {}],
])('%s', (_what, given, expected) => {
  const entry = entryOf(given);
  expect(entry).toEqual(expected);
  expect(Object.values(entry).reduce((sum, cents) => sum + cents, 0)).toBe(0);
});
