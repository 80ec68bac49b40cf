import { expect, test } from 'vitest';
import { stubBrowser } from '../../core/stub-browser.ts';

stubBrowser();
const { isProcessing } = await import('./booking-payment.tsx');

const payment = (need: 'card' | null) => ({ need }) as Parameters<typeof isProcessing>[0]['payment'];

test('an order is read again while the provider is at work on its payment, and no longer', () => {
  expect(isProcessing({ awaits: 'payment', payment: payment(null) })).toBe(true);
  expect(isProcessing({ awaits: 'payment', payment: payment('card') })).toBe(false);
  expect(isProcessing({ awaits: 'payment', payment: null })).toBe(false);
  expect(isProcessing({ awaits: null, payment: payment(null) })).toBe(false);
});
