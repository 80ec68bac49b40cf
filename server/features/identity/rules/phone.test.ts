import { expect, test } from 'vitest';
import { parsePhone } from './phone.ts';

test.each([
  ['(415) 555-0132', '+14155550132', '+1'],
  ['415.555.0132', '+14155550132', '+1'],
  ['+1 415 555 0132', '+14155550132', '+1'],
  ['+44 20 7946 0958', '+442079460958', '+44'],
  ['+86 138 0013 8000', '+8613800138000', '+86'],
])('%s is %s', (typed, phone, phoneRegion) => {
  expect(parsePhone(typed)).toEqual({ phone, phoneRegion });
});

test.each(['', '12345', '555 555 5555', 'call me', '+999 123'])('%j is no phone number', (typed) => {
  expect(parsePhone(typed)).toBeNull();
});
