import { expect, test } from 'vitest';
import { allOf, anyOf, readQuery } from './query.ts';

test.each([
  ['1156 High St', { houseNumber: 1156, suffix: '', words: ['high', 'st'] }],
  ['12b Bay St, Santa Cruz', { houseNumber: 12, suffix: 'b', words: ['bay', 'st'] }],
  ['High Street 1156', { houseNumber: 1156, suffix: '', words: ['high', 'street'] }],
  ['Highway 17', { houseNumber: 17, suffix: '', words: ['highway'] }],
  ['17th Avenue', null],
  ['High Street 95064', null],
  ['1156', null],
  ['1156 h', null],
  ['7 Eleven', { houseNumber: 7, suffix: '', words: ['eleven'] }],
])('the house number in %j', (text, address) => {
  expect(readQuery(text).address).toEqual(address);
});

test('what stands after the first comma only prefers', () => {
  expect(readQuery('High Street, Santa Cruz, CA 95064')).toMatchObject({
    words: ['high', 'street'],
    context: ['santa', 'cruz', 'ca', '95064'],
  });
  expect(readQuery(', Aptos')).toMatchObject({ words: ['aptos'], context: [] });
});

test('text-search queries', () => {
  expect(allOf(['high', 'st'])).toBe("'high':* & 'st':*");
  expect(anyOf(['high', 'st'], 'A')).toBe("'high':*A | 'st':*A");
});

test.each([
  ['santa cruz california', ['santa', 'cruz']],
  ['Aptos CA', ['aptos']],
  ['mission street santa cruz ca usa', ['mission', 'street', 'santa', 'cruz']],
  ['University of California', ['university', 'of', 'california']],
  ['california', ['california']],
  ['95060-1234', ['95060']],
  ['the mall', ['mall']],
  ['science & engineering', ['science', 'engineering']],
  ['science and engineering', ['science', 'engineering']],
  ['The The', ['the', 'the']],
])('the words of %j that a place must have', (text, words) => {
  expect(readQuery(text).words).toEqual(words);
});

test('the state after the comma prefers nothing: every place near is in it', () => {
  expect(readQuery('Capitola, CA')).toMatchObject({ words: ['capitola'], context: [] });
});
