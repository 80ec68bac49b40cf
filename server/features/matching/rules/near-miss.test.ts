import { describe, expect, test } from 'vitest';
import type { Change } from '#contract/rides/views.ts';
import { freePermille } from '#roads/graph/traffic.ts';
import { randomFrom } from '../../../testing/random.ts';
import { explain, type Pair } from './explain.ts';
import { bestInsertion, measured, withBooking, type Drives } from './insertion.ts';
import { nearMissOf, withChange, type NearMiss, type Side } from './near-miss.ts';
import { planAlone, type Plan } from './plan.ts';
import { shareCents, withinOffer } from './price.ts';
import { door, meetingSpot, type Wish } from './wish.ts';

const minute = 60_000;
const start = 1_000 * minute;
const at = (east: number) => ({ lon: east, lat: 0 });
// One straight street: a degree of longitude is ten minutes.
const travel = (from: { lon: number }, to: { lon: number }) => ({
  milliseconds: Math.round(Math.abs(to.lon - from.lon) * 10 * minute),
  metres: Math.round(Math.abs(to.lon - from.lon) * 10_000),
  estimated: false,
});
const street = ({ stops }: Plan, { pickups, dropoffs }: Wish): Drives => {
  const ms = (from: { lon: number }, to: { lon: number }) => travel(from, to).milliseconds;
  return {
    toPickup: (stop, spot) => ms(stops[stop]!, pickups[spot]!),
    fromPickup: (spot, stop) => ms(pickups[spot]!, stops[stop]!),
    toDropoff: (stop, spot) => ms(stops[stop]!, dropoffs[spot]!),
    fromDropoff: (spot, stop) => ms(dropoffs[spot]!, stops[stop]!),
    direct: (pickup, dropoff) => ms(pickups[pickup]!, dropoffs[dropoff]!),
  };
};

function pairOf(
  of: {
    ride?: Partial<Parameters<typeof planAlone>[0]>;
    from?: number;
    to?: number;
    wish?: Partial<Wish>;
    offerCents?: number;
    costCents?: number;
    perCar?: boolean;
    joined?: number;
  } = {},
): Pair {
  const { from = 1, to = 2 } = of;
  const wish: Wish = {
    seats: 1,
    pickups: [door(at(from))],
    dropoffs: [door(at(to))],
    walkMetres: 600,
    earliestMs: start,
    latestMs: start + 30 * minute,
    arriveByMs: start + 60 * minute,
    preferences: 0,
    ...of.wish,
  };
  const plan: Plan = planAlone({
    from: at(0),
    to: at(3),
    drive: travel(at(0), at(3)),
    seats: 2,
    earliestDepartsMs: start,
    latestDepartsMs: start,
    trafficPermille: freePermille,
    maxDetourMs: 10 * minute,
    ...of.ride,
  });
  const price = {
    priceKind: of.perCar ? ('perCar' as const) : ('perPerson' as const),
    costCents: of.costCents ?? 0,
  };
  return {
    plan,
    wish,
    drives: street(plan, wish),
    offerCents: of.offerCents ?? null,
    fareCentsOf: (seats) => shareCents(price, seats, of.joined ?? 0),
  };
}

const shifted = (minutes: number): Partial<Wish> => ({
  earliestMs: start + minutes * minute,
  latestMs: start + (minutes + 5) * minute,
  arriveByMs: start + (minutes + 35) * minute,
});

const table: [what: string, pair: Pair, looker: Side, expected: Omit<NearMiss, 'effort'> | null][] = [
  ['a pair that fits', pairOf(), 'passenger', null],
  // The car is there after 10 minutes.
  [
    'a window that opens 12 minutes too late, for the passenger',
    pairOf({ wish: shifted(22) }),
    'passenger',
    { rule: 'pickupWindow', change: { kind: 'leaveEarlier', minutes: 12 }, changer: 'passenger' },
  ],
  [
    'the same, for the driver',
    pairOf({ wish: shifted(22) }),
    'driver',
    { rule: 'pickupWindow', change: { kind: 'leaveLater', minutes: 12 }, changer: 'driver' },
  ],
  [
    'a window that closes 7.5 minutes too early',
    pairOf({ wish: shifted(-2.5) }),
    'passenger',
    { rule: 'pickupWindow', change: { kind: 'leaveLater', minutes: 8 }, changer: 'passenger' },
  ],
  [
    'a drop-off 3 minutes after it must be',
    pairOf({ wish: { arriveByMs: start + 18 * minute } }),
    'passenger',
    { rule: 'dropoffWindow', change: { kind: 'leaveLater', minutes: 3 }, changer: 'passenger' },
  ],
  ['more than an hour apart', pairOf({ wish: shifted(71) }), 'passenger', null],
  [
    'an offer of 4.00 where 5.50 is asked',
    pairOf({ offerCents: 400, costCents: 550 }),
    'driver',
    { rule: 'price', change: { kind: 'offerMore', cents: 150 }, changer: 'passenger' },
  ],
  [
    'a share of a car that does not divide evenly',
    pairOf({ offerCents: 300, costCents: 1000, perCar: true, joined: 2 }),
    'passenger',
    { rule: 'price', change: { kind: 'offerMore', cents: 34 }, changer: 'passenger' },
  ],
  [
    'three seats wanted of two',
    pairOf({ wish: { seats: 3 } }),
    'passenger',
    { rule: 'seats', change: { kind: 'fewerSeats', seats: 1 }, changer: 'passenger' },
  ],
  [
    'three seats of two in a car whose share would then be above the offer',
    pairOf({ wish: { seats: 3 }, offerCents: 400, costCents: 1200, perCar: true }),
    'passenger',
    null,
  ],
  [
    'the wrong way round, 22 minutes of detour where 10 are allowed',
    pairOf({ from: 2, to: 1 }),
    'passenger',
    { rule: 'detour', change: { kind: 'moreDetour', minutes: 12 }, changer: 'driver' },
  ],
  ['a detour longer than any driver may allow', pairOf({ from: 3, to: 0 }), 'passenger', null],
  [
    'a spot on the way, 150 metres beyond the walk',
    pairOf({
      from: 2,
      to: 1,
      wish: {
        pickups: [door(at(2)), meetingSpot({ ...at(0.95), walkMetres: 750, name: '' })],
      },
    }),
    'passenger',
    { rule: 'detour', change: { kind: 'walkMore', metres: 150 }, changer: 'passenger' },
  ],
  ['two rules at once', pairOf({ wish: { seats: 3 }, offerCents: 400, costCents: 550 }), 'passenger', null],
];

describe('a near miss', () => {
  test.each(table)('%s', (_what, pair, looker, expected) => {
    const miss = nearMissOf(pair, looker, 0);
    if (expected === null) expect(miss).toBeNull();
    else expect(miss).toMatchObject(expected);
  });
  test('asks nobody to leave before now, and turns to the other', () =>
    expect(nearMissOf(pairOf({ wish: shifted(22) }), 'passenger', start + 15 * minute)).toMatchObject({
      change: { kind: 'leaveLater', minutes: 12 },
      changer: 'driver',
    }));
});

/** The same change by one minute, cent or seat less, or null where nothing is left of it. */
function smaller(change: Change): Change | null {
  switch (change.kind) {
    case 'offerMore':
      return change.cents > 1 ? { ...change, cents: change.cents - 1 } : null;
    case 'fewerSeats':
      return change.seats > 1 ? { ...change, seats: change.seats - 1 } : null;
    case 'walkMore':
      return change.metres > 1 ? { ...change, metres: change.metres - 1 } : null;
    default:
      return change.minutes > 1 ? { ...change, minutes: change.minutes - 1 } : null;
  }
}

const fits = ({ plan, wish, drives, offerCents, fareCentsOf }: Pair): boolean =>
  withinOffer(fareCentsOf(wish.seats), wish.seats, offerCents) && bestInsertion(plan, wish, drives) !== null;

test('the change is enough, one less is not, and explaining agrees, whatever the draw', () => {
  const random = randomFrom(20_261_124);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const spots = () => {
    const own = random() * 3;
    const near = [300, 700, 900].map((walkMetres) =>
      meetingSpot({ ...at(own + (random() - 0.5) * 2), walkMetres, name: '' }),
    );
    return [door(at(own)), ...near.filter(() => random() < 0.5)];
  };
  const kinds = new Map<string, number>();
  for (let draw = 0; draw < 20_000; draw++) {
    const earliestMs = start + (random() - 0.5) * 120 * minute;
    const latestMs = earliestMs + pick([0, 15, 45]) * minute;
    const pair = pairOf({
      ride: {
        seats: pick([1, 2, 4]),
        latestDepartsMs: start + pick([0, 10, 150]) * minute,
        maxDetourMs: random() * 20 * minute,
        trafficPermille: pick([freePermille, 1137]),
      },
      wish: {
        pickups: spots(),
        dropoffs: spots(),
        seats: pick([1, 1, 2, 3]),
        earliestMs,
        latestMs,
        arriveByMs: latestMs + random() * 50 * minute,
      },
      costCents: pick([0, 700, 1300]),
      perCar: random() < 0.5,
      joined: pick([0, 1, 2]),
      ...(random() < 0.5 ? { offerCents: 500 + Math.floor(random() * 700) } : {}),
    });
    for (let aboard = pick([0, 0, 1, 2]); aboard > 0; aboard--) {
      const other = pairOf({ from: random() * 3, to: random() * 3 }).wish;
      const choice = bestInsertion(pair.plan, other, street(pair.plan, other));
      if (choice === null) continue;
      const insertion = measured(pair.plan, other, choice, travel);
      pair.plan = withBooking(pair.plan, other, insertion, `aboard ${aboard}`);
    }
    pair.drives = street(pair.plan, pair.wish);
    expect(explain(pair).fits).toBe(fits(pair));
    const miss = nearMissOf(pair, pick(['driver', 'passenger']), start - 30 * minute);
    if (fits(pair)) expect(miss).toBeNull();
    if (miss === null) continue;
    kinds.set(miss.change.kind, (kinds.get(miss.change.kind) ?? 0) + 1);
    expect(fits(withChange(pair, miss)), JSON.stringify(miss)).toBe(true);
    const less = smaller(miss.change);
    if (less !== null)
      expect(fits(withChange(pair, { ...miss, change: less })), JSON.stringify(miss)).toBe(false);
  }
  // A test over nothing would prove nothing.
  expect([...kinds.keys()].toSorted()).toEqual([
    'fewerSeats',
    'leaveEarlier',
    'leaveLater',
    'moreDetour',
    'offerMore',
    'walkMore',
  ]);
  expect(Math.min(...kinds.values())).toBeGreaterThan(50);
});
