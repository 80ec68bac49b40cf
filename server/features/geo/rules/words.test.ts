import { expect, test } from 'vitest';
import { searchWords, wordsOf } from './words.ts';

test.each([
  ['O’Neill’s Café, St. Mary', ['oneills', 'cafe', 'st', 'mary']],
  ['N. Branciforte Ave', ['n', 'branciforte', 'ave']],
  ['北京路 12', ['北京路', '12']],
  [' — ', []],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ['High Street', 'st'],
  ['East Cliff Drive', 'dr'],
  ['State Hwy 17', 'highway'],
  ['Mt Hermon Rd', 'mount'],
  ['Mt Hermon Rd', 'road'],
  ['First Street', '1st'],
  ['University of California, Santa Cruz', 'ucsc'],
  ['University of California, Santa Cruz', 'uc'],
  ['San Jose International Airport', 'intl'],
])('%j is found by %j', (name, word) => {
  expect(searchWords(name)).toContain(word);
});

test('a name’s own words come first and each only once', () => {
  expect(searchWords('St Street')).toEqual(['st', 'street', 'saint']);
});
