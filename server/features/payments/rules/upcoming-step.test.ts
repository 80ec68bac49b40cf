import { expect, test } from 'vitest';
import { hourMs, later } from '../../../platform/clock.ts';
import { upcomingStep } from './upcoming-step.ts';

const now = new Date('2026-11-24T12:00:00Z');
const soon = later(now, hourMs);
const end = later(now, 72 * hourMs);

/** Placed on the card, for a ride to come. */
const placed: Parameters<typeof upcomingStep>[0] = {
  goal: 'authorize',
  state: 'requires_capture',
  paymentId: 'pi_1',
  isAsked: true,
  askedAt: later(now, -hourMs),
  captureBefore: end,
  cardId: 'pm_1',
  captureCents: 0,
  captureAt: null,
  capturedCents: 0,
  refundGoalCents: 0,
  refundedCents: 0,
  declineCode: null,
  isChargedBack: false,
  nextAt: later(end, 10_000),
  trouble: null,
};
const planned = {
  ...placed,
  state: 'requires_confirmation',
  paymentId: null,
  isAsked: false,
  askedAt: null,
  captureBefore: null,
  nextAt: soon,
} as const;
const owed = { ...placed, goal: 'capture', captureCents: 1500, captureAt: soon, nextAt: soon } as const;
const captured = { ...owed, state: 'succeeded', capturedCents: 1500, captureAt: now, nextAt: null } as const;
const refused = { ...planned, state: 'requires_payment_method', nextAt: null } as const;

test.each([
  ['planned on a card', planned, 'place', soon],
  ['placed', placed, 'renew', end],
  ['placed, and ended by the provider', { ...placed, captureBefore: now }, 'read', placed.nextAt],
  ['canceled by the provider', { ...placed, state: 'canceled', nextAt: now }, 'renew', now],
  ['owed later', owed, 'capture', soon],
  ['owed now', { ...owed, captureAt: now, nextAt: now }, 'capture', now],
  ['not wanted any more', { ...placed, goal: 'cancel', nextAt: now }, 'release', now],
  ['to be refunded', { ...captured, refundGoalCents: 500, nextAt: now }, 'refund', now],
  ['a refund that is refused', { ...captured, refundGoalCents: 500, trouble: 'no' }, 'admin', null],
  [
    'a refund that is tried again',
    { ...captured, refundGoalCents: 500, trouble: 'no', nextAt: soon },
    'refund',
    soon,
  ],
  [
    'asked for without an answer',
    { ...planned, isAsked: true, askedAt: later(now, -48 * hourMs), nextAt: soon },
    'read',
    soon,
  ],
  ['in the bank’s hands', { ...placed, state: 'processing', nextAt: soon }, 'read', soon],
  ['without a card', { ...refused, cardId: null }, 'passenger', null],
  ['declined', { ...refused, paymentId: 'pi_1', declineCode: 'insufficient_funds' }, 'passenger', null],
  ['to be confirmed with the bank', { ...placed, state: 'requires_action', nextAt: soon }, 'passenger', null],
  [
    'of a driver who cannot be paid',
    { ...refused, declineCode: 'account_missing', trouble: 'account_missing' },
    'driver',
    null,
  ],
] as const)('%s', (_, authorization, step, at) => {
  expect(upcomingStep(authorization, now)).toEqual({ step, at });
});
