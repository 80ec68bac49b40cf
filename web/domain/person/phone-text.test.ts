import { expect, test } from 'vitest';
import { phoneText } from './phone-text.ts';

test.each([
  ['+14155550101', '(415) 555-0101'],
  ['+8613800138000', '+86 138 0013 8000'],
  ['+442079460018', '+44 20 7946 0018'],
  ['', ''],
])('%j is shown as %j', (phone, shown) => expect(phoneText(phone)).toBe(shown));
