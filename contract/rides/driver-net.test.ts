import { expect, test } from 'vitest';
import { feeOf } from '../payments/fees.ts';
import { netOfCar, netOfFullCar, netPerPerson } from './driver-net.ts';

const terms = { serviceFeeBasisPoints: 1000, cardFeeBasisPoints: 290, cardFeeCents: 30 };

test.each([
  ['$40 for four seats', { costCents: 40_00, seats: 4 }, 33_64, 34_54],
  ['$8 for four seats', { costCents: 8_00, seats: 4 }, 5_76, 6_67],
  ['$2 for four seats', { costCents: 2_00, seats: 4 }, 56, 1_44],
  ['one seat: one fee', { costCents: 20_00, seats: 1 }, 17_12, 17_12],
  ['a price under 50 cents a head brings nothing with a full car', { costCents: 1_40, seats: 3 }, 0, 92],
])('the net of a car: %s', (_what, car, leastCents, mostCents) => {
  expect(netOfCar(car, terms)).toEqual({ leastCents, mostCents });
});

test('the net of a car with passengers who pay no more than they offered', () => {
  const joined = [{ seats: 1, fareCents: 6_00 }];
  const alone = 6_00 - feeOf(6_00, terms);
  // The one who has joined alone; or none of them, and one booking of the other two seats.
  expect(netOfCar({ costCents: 40_00, seats: 3 }, terms, joined)).toEqual({
    leastCents: alone,
    mostCents: 40_00 - feeOf(40_00, terms),
  });
  expect(netOfCar({ costCents: 40_00, seats: 1 }, terms, joined)).toEqual({
    leastCents: alone,
    mostCents: alone,
  });
});

test.each([
  ['one seat', { costCents: 6_50, seats: 1 }, 5_36, 5_36],
  ['three seats, one booking each or one for all', { costCents: 6_50, seats: 3 }, 5_36, 5_56],
])('the net per person: %s', (_what, price, leastCents, mostCents) => {
  expect(netPerPerson(price, terms)).toEqual({ leastCents, mostCents });
});

test('the net of a full car at a price per person: a fee for each booking', () => {
  expect(netOfFullCar({ costCents: 6_50, seats: 2 }, terms)).toEqual({
    leastCents: 2 * 5_36,
    mostCents: 13_00 - feeOf(13_00, terms),
  });
});
