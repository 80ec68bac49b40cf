import { expect, test } from 'vitest';
import { expiryOf } from './expiry.ts';

test.each([
  ['12/34', '12', '34'],
  ['1234', '12', '34'],
  ['12 / 2034', '12', '2034'],
  ['122034', '12', '2034'],
  ['1/34', '1', '34'],
  ['01/34', '01', '34'],
  [' 12-34 ', '12', '34'],
  ['12.34', '12', '34'],
  ['12 34', '12', '34'],
  ['934', '9', '34'],
])('%s', (typed, month, year) => {
  expect(expiryOf(typed)).toEqual({ month, year });
});

test.each(['', '12', '12/3', '12345', 'soon', '12/34/56', '134'])('%s is no month and year', (typed) => {
  expect(expiryOf(typed)).toBeNull();
});
