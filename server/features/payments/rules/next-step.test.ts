import { expect, test } from 'vitest';
import { hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import {
  isDebt,
  isGivenUp,
  keyLivesMs,
  readAgainMs,
  nextStep,
  refusedRetryMs,
  type AuthorizationFacts,
  type Step,
} from './next-step.ts';

const now = new Date('2026-11-23T15:00:00Z');
const standing: AuthorizationFacts = {
  goal: 'authorize',
  state: 'requires_capture',
  paymentId: 'pi_1',
  isAsked: true,
  askedAt: later(now, -hourMs),
  captureBefore: later(now, 24 * hourMs),
  cardId: 'pm_1',
  captureCents: 0,
  captureAt: null,
  capturedCents: 0,
  refundGoalCents: 0,
  refundedCents: 0,
  declineCode: null,
  isChargedBack: false,
};
const ended = { captureBefore: now };
const owed = { goal: 'capture', captureCents: 2000, captureAt: now } as const;
const unanswered = { state: 'requires_confirmation', paymentId: null, captureBefore: null } as const;

const table: [what: string, facts: Partial<AuthorizationFacts>, step: Step][] = [
  ['a hold that stands', {}, null],
  ['one second before it ends', { captureBefore: later(now, secondMs) }, null],
  ['a hold that ends now is read', ended, 'read'],
  ['a debt whose hold has ended is read, not taken', { ...owed, ...ended }, 'read'],
  ['a hold that has ended is read before it is let go', { goal: 'cancel', ...ended }, 'read'],
  ['a debt whose hold stands is taken', owed, 'capture'],
  ['let go by the provider', { state: 'canceled' }, 'replace'],
  ['an ask whose answer was lost just now', unanswered, 'place'],
  [
    'an ask whose key is about to be forgotten is looked for',
    { ...unanswered, askedAt: later(now, -keyLivesMs) },
    'find',
  ],
  ['one moment earlier it is repeated', { ...unanswered, askedAt: later(now, -keyLivesMs + 1) }, 'place'],
  ['nobody wants it any more: it is looked for, not asked', { ...unanswered, goal: 'cancel' }, 'find'],
  ['and nothing was ever asked', { ...unanswered, goal: 'cancel', isAsked: false, askedAt: null }, 'cancel'],
  ['more was taken than is owed', { ...owed, state: 'succeeded', capturedCents: 2500 }, 'refund'],
  [
    'a bank has the money: nothing goes back on top',
    { ...owed, state: 'succeeded', capturedCents: 2500, isChargedBack: true },
    null,
  ],
];

test.each(table)('%s', (_what, facts, step) => {
  expect(nextStep({ ...standing, ...facts }, now)).toBe(step);
});

test('what was read just now is the provider’s word: it is taken or let go as it says', () => {
  expect(nextStep({ ...standing, ...ended }, now, true)).toBeNull();
  expect(nextStep({ ...standing, ...owed, ...ended }, now, true)).toBe('capture');
  expect(nextStep({ ...standing, ...ended, goal: 'cancel' }, now, true)).toBe('cancel');
});

test('a debt that waits for a bank’s question is read less and less often, for a day', () => {
  const asked = { goal: 'capture', state: 'requires_action' } as const;
  let ms = 0;
  let reads = 1;
  for (; !isGivenUp(asked, reads); reads++) ms += readAgainMs(reads);
  expect(readAgainMs(1)).toBe(minuteMs);
  expect(readAgainMs(50)).toBe(hourMs);
  expect(ms / hourMs).toBeGreaterThanOrEqual(23);
  expect(ms / hourMs).toBeLessThanOrEqual(25);
  expect(isGivenUp({ goal: 'authorize', state: 'requires_action' }, 1000)).toBe(false);
  expect(isGivenUp({ goal: 'capture', state: 'processing' }, 1000)).toBe(false);
});

test('what is refused is tried again for four days', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(refusedRetryMs);
  expect(pauses.at(-1)).toBeNull();
  expect(pauses.reduce<number>((sum, ms) => sum + (ms ?? 0), 0) / hourMs).toBe(94);
});

const refusedOwed = { ...owed, state: 'requires_payment_method', declineCode: 'expired_card' } as const;

test.each<[what: string, facts: Partial<AuthorizationFacts & { nextAt: Date | null }>, isOwed: boolean]>([
  ['what the bank refuses', refusedOwed, true],
  ['a bank’s question that is still read', { ...owed, state: 'requires_action', nextAt: now }, false],
  ['a bank’s question that is not read any more', { ...owed, state: 'requires_action' }, true],
  ['what is about to be captured', owed, false],
  ['what the driver cannot be paid', { ...refusedOwed, declineCode: 'account_invalid' }, false],
  ['what was refused before the ride', { ...refusedOwed, goal: 'authorize' }, false],
  ['what is written off', { ...refusedOwed, goal: 'cancel' }, false],
])('a debt: %s', (_what, facts, isOwed) => {
  expect(isDebt({ ...standing, nextAt: null, ...facts })).toBe(isOwed);
});
