import { expect, test } from 'vitest';
import { adviceOn } from './price-advice.ts';

const quote = (advisedShareCents: number, askedLowCents: number | null, askedHighCents = askedLowCents) => ({
  advisedShareCents,
  askedLowCents,
  askedHighCents,
});

test('a driver reads what others ask and what the drive costs a person, never below the lowest price', () => {
  expect(adviceOn('driver', quote(98, 550, 650))).toMatchObject({ asked: [550, 650], shareCents: 98 });
  expect(adviceOn('driver', quote(21, null))).toMatchObject({ asked: null, shareCents: 50 });
});

test('a passenger reads no share of the cost that is too low to be offered', () => {
  expect(adviceOn('passenger', quote(98, 550, 650))).toMatchObject({ asked: [550, 650], shareCents: null });
  expect(adviceOn('passenger', quote(500, null))).toMatchObject({ asked: null, shareCents: null });
  expect(adviceOn('passenger', quote(720, null))).toMatchObject({ asked: null, shareCents: 720 });
});

test('where drivers ask less than an offer must be, it is better left open', () => {
  expect(adviceOn('passenger', quote(98, 80, 500)).isOfferNeedless).toBe(true);
  expect(adviceOn('passenger', quote(98, 80, 650)).isOfferNeedless).toBe(false);
  expect(adviceOn('passenger', quote(98, null)).isOfferNeedless).toBe(false);
  expect(adviceOn('driver', quote(98, 80, 90)).isOfferNeedless).toBe(false);
});
