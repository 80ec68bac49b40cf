import { feeOf, type FeeTerms } from '../payments/fees.ts';
import { minimumPriceCents } from './lowest-prices.ts';
import { splitCarPrice } from './split-price.ts';

/** A driver's net income, at least and at most, whole cents. */
export interface NetRange {
  leastCents: number;
  mostCents: number;
}

/** A passenger who has joined: their seats, and the most that they pay. */
interface Joined {
  seats: number;
  fareCents: number;
}

/** The driver's net income from one booking's payment; less than card providers charge is not taken. */
const netOf = (capturedCents: number, terms: FeeTerms): number =>
  capturedCents < minimumPriceCents ? 0 : capturedCents - feeOf(capturedCents, terms);

/** Every way in which a number of seats is taken by bookings, in the order of joining; `[]` for none. */
function takenBy(seats: number): number[][] {
  if (seats === 0) return [[]];
  return Array.from({ length: seats }, (_, first) => first + 1).flatMap((first) =>
    takenBy(seats - first).map((others) => [first, ...others]),
  );
}

const everyWay = (seats: number): number[][] =>
  Array.from({ length: seats + 1 }, (_, taken) => takenBy(taken)).flat();

const someOf = <T>(all: readonly T[]): T[][] =>
  all.reduce<T[][]>((found, each) => [...found, ...found.map((some) => [...some, each])], [[]]);

const rangeOf = (nets: readonly number[]): NetRange => ({
  leastCents: Math.min(...nets),
  mostCents: Math.max(...nets),
});

/**
 * Computes the range of a driver's net for a price per car: any of those who have joined may ride in the
 * end, and any bookings of the seats that are free. Each booking is a payment with a fee of its own.
 * Fees for late cancellations are not in it.
 */
export function netOfCar(
  { costCents, seats }: { costCents: number; seats: number },
  terms: FeeTerms,
  joined: readonly Joined[] = [],
): NetRange {
  const free = Math.max(0, seats - joined.reduce((sum, each) => sum + each.seats, 0));
  const nets = someOf(joined).flatMap((riders) =>
    everyWay(free)
      .filter((others) => riders.length + others.length > 0)
      .map((others) => {
        const parts = splitCarPrice(costCents, [...riders.map((rider) => rider.seats), ...others]);
        return parts.reduce(
          (sum, part, index) => sum + netOf(Math.min(part, riders[index]?.fareCents ?? part), terms),
          0,
        );
      }),
  );
  return nets.length === 0 ? { leastCents: 0, mostCents: 0 } : rangeOf(nets);
}

/**
 * A driver's net income of a price per person, for each person, rounded down: the most where one booking
 * takes all seats, with one fee.
 */
export const netPerPerson = (
  { costCents, seats }: { costCents: number; seats: number },
  terms: FeeTerms,
): NetRange =>
  rangeOf(
    Array.from({ length: seats }, (_, index) => index + 1).map((people) =>
      Math.floor(netOf(costCents * people, terms) / people),
    ),
  );

/** A driver's net income of a full car at a price per person, however its seats are booked. */
export const netOfFullCar = (
  { costCents, seats }: { costCents: number; seats: number },
  terms: FeeTerms,
): NetRange =>
  rangeOf(takenBy(seats).map((ways) => ways.reduce((sum, each) => sum + netOf(costCents * each, terms), 0)));
