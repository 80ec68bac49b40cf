import { expect, test } from 'vitest';
import { isAirport } from './geo/airports.ts';
import { isOfferTooLow, isPriceTooLow } from './rides/lowest-prices.ts';
import { nameLine, oneLine, tidyText, words } from './units.ts';

test.each([
  ['plain', 'plain'],
  ['  Zoe\u0308  ', 'Zoë'],
  ['王 小明', '王 小明'],
  ['محمد علي', 'محمد علي'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['👩\u200D👩\u200D👧 🚗', '👩\u200D👩\u200D👧 🚗'],
  ['a\u202Egnp.exe', 'agnp.exe'],
  ['\u2066b\u2069', 'b'],
  ['\u200B\uFEFFc\u2060', 'c'],
  ['bell\u0007 null\u0000', 'bell null'],
  ['half \uD83D emoji', 'half \uFFFD emoji'],
  [`Z${'\u0335'.repeat(50)}`, `Z${'\u0335'.repeat(8)}`],
  ['one\r\ntwo', 'one\ntwo'],
])('%j is kept as %j', (typed, kept) => expect(tidyText(typed)).toBe(kept));

test('a line has no breaks, words keep theirs', () => {
  expect(oneLine(20).parse(' a\n\tb ')).toBe('a b');
  expect(words(20).parse(' a\nb ')).toBe('a\nb');
});

test.each(['', '   ', '\u200B\u200D', '\u202E'])('a name cannot be %j', (typed) => {
  const { error } = nameLine(40, 'Please enter a name.').safeParse(typed);
  expect(error?.issues[0]?.message).toBe('Please enter a name.');
});

test('a text of 100 kB is refused by its length', () => {
  const { error } = words(500).safeParse('ﷺ\u0301'.repeat(50_000));
  expect(error?.issues[0]?.message).toBe('Please enter up to 500 characters.');
});

test.each([
  ['San Francisco International Airport', '', true],
  ['Gate 4', 'AIRPORT Boulevard', true],
  ['浦东机场', '', true],
  ['The Air Port', 'Harbour', false],
])('%s, %s: an airport address is %s', (name, detail, airport) => {
  expect(isAirport({ name, detail })).toBe(airport);
});

test.each([
  [0, 'perPerson', 8, false],
  [1, 'perPerson', 1, true],
  [49, 'perPerson', 1, true],
  [50, 'perPerson', 8, false],
  [0, 'perCar', 3, false],
  [140, 'perCar', 3, true],
  [149, 'perCar', 3, true],
  [150, 'perCar', 3, false],
  [399, 'perCar', 8, true],
  [400, 'perCar', 8, false],
  [50, 'perCar', 1, false],
] as const)(
  'a price of %i cents %s with %i seats is too low: %s',
  (costCents, priceKind, seats, isTooLow) => {
    expect(isPriceTooLow({ priceKind, costCents, seats })).toBe(isTooLow);
  },
);

test.each([
  [0, true],
  [499, true],
  [500, true],
  [501, false],
])('an offer of %i cents is too low: %s', (cents, isTooLow) => {
  expect(isOfferTooLow(cents)).toBe(isTooLow);
});
