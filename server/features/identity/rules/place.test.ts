import { expect, test } from 'vitest';
import { networkOf } from '../../../platform/http/network.ts';
import { placeOf } from './place.ts';

test.each([
  ['203.0.113.77', '203.0.113.*'],
  ['::ffff:203.0.113.77', '203.0.113.*'],
  ['2001:db8:12:34:5:6:7:8', '2001:db8:12::'],
  ['2001:db8::1', '2001:db8:0::'],
  ['', ''],
])('%j is at %j', (address, place) => {
  expect(placeOf(networkOf(address))).toBe(place);
});
