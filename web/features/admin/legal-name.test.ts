import { expect, test } from 'vitest';
import { legalNameOf } from './legal-name.ts';

test.each([
  ['Mia', 'Torres', 'Mia Torres'],
  ['彤', '林', '林彤'],
  ['Tong', '林', 'Tong 林'],
  ['', '', ''],
  ['Mia', '', 'Mia'],
])('%s and %s stand as %s', (firstName, lastName, shown) => {
  expect(legalNameOf({ firstName, lastName })).toBe(shown);
});
