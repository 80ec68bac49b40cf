import { expect, test } from 'vitest';
import { cardByNumber, isCardNumber, mustAskHolder, testCards } from './test-cards.ts';

test('every published number is a card number, and none stands twice', () => {
  expect(testCards.filter(({ number }) => !isCardNumber(number))).toEqual([]);
  expect(new Set(testCards.map(({ number }) => number)).size).toBe(testCards.length);
  expect(new Set(testCards.flatMap(({ tokens }) => tokens)).size).toBe(
    testCards.reduce((sum, { tokens }) => sum + tokens.length, 0),
  );
});

test.each(['4242424242424241', '4242', '', 'abcd424242424242', '42424242424242424242'])(
  'no card: %s',
  (number) => {
    expect(isCardNumber(number)).toBe(false);
  },
);

test.each([
  ['4242424242424242', false, false, false],
  ['4000002500003155', false, true, true],
  ['4000002500003155', true, true, false],
  ['4000002500003155', true, false, true],
  ['4000002760003184', true, true, true],
  ['4000002760003184', false, true, true],
])('%s off session %s, set up %s: asks the holder %s', (number, offSession, isSetUp, asks) => {
  expect(mustAskHolder(cardByNumber(number)!, { offSession, isSetUp })).toBe(asks);
});
