import { expect, test } from 'vitest';
import type { Leaving } from '#contract/privacy/endpoints.ts';
import { whyNotLeave } from './may-leave.ts';

const order = (more: Partial<Leaving['orders'][number]> = {}): Leaving['orders'][number] => ({
  id: 'a',
  orderNumber: 'SW-7KQ2M9',
  role: 'driver',
  from: 'Downtown',
  to: 'Aptos',
  at: '2026-11-23T17:00:00.000Z',
  timeZone: 'America/Los_Angeles',
  joined: 0,
  may: true,
  feeCents: 0,
  strike: false,
  ...more,
});
const nothing: Leaving = { orders: [], owedCents: 0, openDisputes: 0, openRefunds: 0 };

test.each<[string, Partial<Leaving>, { reason: string; data?: object } | null]>([
  ['nothing is open', {}, null],
  ['what is open costs nothing', { orders: [order(), order({ joined: 2, strike: true })] }, null],
  ['a debt', { owedCents: 2000 }, { reason: 'privacy.owes', data: { amountCents: 2000 } }],
  ['a dispute', { openDisputes: 1 }, { reason: 'privacy.disputeOpen' }],
  ['a refund', { openRefunds: 1 }, { reason: 'privacy.refundOpen' }],
  [
    'a ride under way',
    { orders: [order(), order({ may: false })] },
    { reason: 'privacy.rideUnderWay', data: { order: 'SW-7KQ2M9' } },
  ],
  [
    'a fee',
    { orders: [order(), order({ role: 'passenger', feeCents: 1000 })] },
    { reason: 'privacy.feeDue', data: { order: 'SW-7KQ2M9', amountCents: 1000 } },
  ],
])('%s', (_what, facts, refused) => {
  const preview = { ...nothing, ...facts };
  const why = whyNotLeave(preview);
  if (refused === null) return expect(why).toBeNull();
  expect(why).toMatchObject({ code: 409, ...refused });
  // The orders that would be canceled are named in every refusal.
  expect(why?.data).toMatchObject({ preview });
});
