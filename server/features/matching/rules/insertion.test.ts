import { describe, expect, test } from 'vitest';
import { freePermille, mostPermille } from '#roads/graph/traffic.ts';
import { tryEverything } from '../../../testing/brute-force.ts';
import { randomFrom } from '../../../testing/random.ts';
import { bestInsertion, measured, withBooking, type Drives } from './insertion.ts';
import { boardingMs, inOtherTraffic, offsetsOf, planAlone, withoutBooking, type Plan } from './plan.ts';
import { door, meetingSpot, type Wish } from './wish.ts';

const minute = 60_000;
const at = (east: number) => ({ lon: east, lat: 0 });
// One straight street: a degree of longitude is ten minutes and ten kilometres.
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

const start = 1_000 * minute;
function ride(fields: Partial<Parameters<typeof planAlone>[0]> = {}): Plan {
  return planAlone({
    from: at(0),
    to: at(3),
    drive: travel(at(0), at(3)),
    seats: 2,
    earliestDepartsMs: start,
    latestDepartsMs: start,
    trafficPermille: freePermille,
    maxDetourMs: 10 * minute,
    ...fields,
  });
}
function wish(from: number, to: number, fields: Partial<Wish> = {}): Wish {
  return {
    seats: 1,
    pickups: [door(at(from))],
    dropoffs: [door(at(to))],
    walkMetres: 600,
    earliestMs: start,
    latestMs: start + 30 * minute,
    arriveByMs: start + 90 * minute,
    preferences: 0,
    ...fields,
  };
}
const insert = (plan: Plan, each: Wish) => {
  const choice = bestInsertion(plan, each, street(plan, each));
  return choice === null ? null : measured(plan, each, choice, travel);
};
const join = (plan: Plan, each: Wish, id: string) => withBooking(plan, each, insert(plan, each)!, id);

describe('a passenger on the way', () => {
  test('costs the two minutes of getting in and out', () => {
    expect(insert(ride(), wish(1, 2))).toMatchObject({
      detourMs: 2 * boardingMs,
      detourMetres: 0,
      pickupMs: start + 10 * minute,
      dropoffMs: start + 21 * minute,
    });
  });
  test('the other way round is a detour over the limit', () => expect(insert(ride(), wish(2, 1))).toBeNull());
  test('and fits a driver who allows it', () =>
    expect(insert(ride({ maxDetourMs: 22 * minute }), wish(2, 1))).toMatchObject({ detourMs: 22 * minute }));
  test('exactly at the limit fits, one millisecond below does not', () => {
    expect(insert(ride({ maxDetourMs: 2 * boardingMs }), wish(1, 2))).not.toBeNull();
    expect(insert(ride({ maxDetourMs: 2 * boardingMs - 1 }), wish(1, 2))).toBeNull();
  });
});

describe('windows', () => {
  test('too early a pick-up does not fit a driver who leaves on the minute', () =>
    expect(insert(ride(), wish(1, 2, { earliestMs: start + 11 * minute }))).toBeNull());
  test('a driver who can leave later does, by just as much', () => {
    expect(
      insert(ride({ latestDepartsMs: start + 5 * minute }), wish(1, 2, { earliestMs: start + 11 * minute })),
    ).toMatchObject({ departsMs: start + minute });
  });
  test('too late a drop-off does not fit', () =>
    expect(insert(ride(), wish(1, 2, { arriveByMs: start + 20 * minute }))).toBeNull());
  test('those on board keep theirs: a newcomer who would make them late does not fit', () => {
    const plan = join(
      ride({ maxDetourMs: 20 * minute }),
      wish(1, 3, { arriveByMs: start + 32.5 * minute }),
      'first',
    );
    expect(insert(plan, wish(2, 3, { arriveByMs: start + 99 * minute }))).toMatchObject({ dropoffAfter: 2 });
    expect(insert(plan, wish(2, 1.5, { arriveByMs: start + 99 * minute }))).toBeNull();
  });
});

describe('the detour limit counts all passengers', () => {
  test('three on the way use up six minutes', () => {
    let plan = ride({ seats: 4, maxDetourMs: 6 * minute });
    for (const id of ['a', 'b', 'c']) plan = join(plan, wish(1, 2), id);
    expect(offsetsOf(plan.stops).at(-1)! - plan.aloneMs).toBe(6 * minute);
    expect(insert(plan, wish(1, 2))).toBeNull();
  });
});

describe('seats', () => {
  test('are counted per leg: one seat serves two in turn', () => {
    const plan = join(ride({ seats: 1 }), wish(0, 1), 'first');
    expect(insert(plan, wish(0.5, 2))).toBeNull();
    expect(insert(plan, wish(1, 2))).not.toBeNull();
  });
  test('more than the car has never fit', () =>
    expect(insert(ride({ seats: 2 }), wish(1, 2, { seats: 3 }))).toBeNull());
});

describe('somebody leaves the plan', () => {
  test('the last one leaves it as it was', () => {
    const alone = ride();
    expect(withoutBooking(join(alone, wish(1, 2), 'first'), 'first', travel)).toEqual(alone);
  });
  test('those who stay keep their times, and the seats are free', () => {
    const plan = join(
      join(ride({ seats: 3 }), wish(0.5, 1, { seats: 2 }), 'first'),
      wish(1.5, 2.5),
      'second',
    );
    const without = withoutBooking(plan, 'first', travel);
    const arrival = (each: Plan, kind: 'pickup' | 'dropoff') => {
      let sum = 0;
      for (const stop of each.stops) {
        if (stop.bookingId === 'second' && stop.kind === kind) return sum;
        sum += stop.standsMs + stop.toNextMs;
      }
      throw new Error('not on the plan');
    };
    expect(arrival(without, 'pickup')).toBe(arrival(plan, 'pickup'));
    expect(arrival(without, 'dropoff')).toBe(arrival(plan, 'dropoff'));
    expect(without.stops.map((stop) => stop.seatsTaken)).toEqual([0, 1, 0, 0]);
  });
});

describe('meeting points', () => {
  // The driver passes the end of a side street a minute long; the passenger lives at its other end.
  const near = (walkMetres: number) => [
    door({ lon: 1.1, lat: 0 }),
    meetingSpot({ lon: 1, lat: 0, walkMetres, name: 'High Street' }),
  ];
  const aside: typeof travel = (from, to) => {
    const off = (place: { lon: number }) => (place.lon === 1.1 ? 2 * minute : 0);
    const there = (place: { lon: number }) => ({ lon: place.lon === 1.1 ? 1 : place.lon });
    const { milliseconds, metres, estimated } = travel(there(from), there(to));
    return { milliseconds: milliseconds + off(from) + off(to), metres, estimated };
  };
  const drives = ({ stops }: Plan, { pickups, dropoffs }: Wish): Drives => {
    const ms = (from: { lon: number }, to: { lon: number }) => aside(from, to).milliseconds;
    return {
      toPickup: (stop, spot) => ms(stops[stop]!, pickups[spot]!),
      fromPickup: (spot, stop) => ms(pickups[spot]!, stops[stop]!),
      toDropoff: (stop, spot) => ms(stops[stop]!, dropoffs[spot]!),
      fromDropoff: (spot, stop) => ms(dropoffs[spot]!, stops[stop]!),
      direct: (pickup, dropoff) => ms(pickups[pickup]!, dropoffs[dropoff]!),
    };
  };
  const meet = (walkMetres: number, fields: Partial<Wish> = {}, plan = ride()) => {
    const each = wish(1.1, 2, { pickups: near(walkMetres), ...fields });
    return bestInsertion(plan, each, drives(plan, each));
  };

  test('are used where a minute on foot saves the driver at least half a minute', () => {
    // Four minutes of driving saved: worth eight on foot, which are 640 metres.
    expect(meet(600)).toMatchObject({ pickupSpot: 1, detourMs: 2 * boardingMs });
    expect(meet(650, { walkMetres: 1000 })).toMatchObject({
      pickupSpot: 0,
      detourMs: 2 * boardingMs + 4 * minute,
    });
  });
  test('are not used beyond the limit', () =>
    expect(meet(600, { walkMetres: 599 })).toMatchObject({ pickupSpot: 0 }));
  test('make fit what would not', () => {
    expect(meet(650, { walkMetres: 1000 }, ride({ maxDetourMs: 5 * minute }))).toMatchObject({
      pickupSpot: 1,
    });
    expect(meet(650, { walkMetres: 600 }, ride({ maxDetourMs: 5 * minute }))).toBeNull();
  });
  test('are reached on foot first: the car must not come before', () => {
    // The car passes after 10 minutes; eight on foot leave two to spare.
    const only = ride({ maxDetourMs: 5 * minute });
    expect(meet(640, { walkMetres: 1000, earliestMs: start + 2 * minute }, only)).not.toBeNull();
    expect(meet(640, { walkMetres: 1000, earliestMs: start + 2 * minute + 1 }, only)).toBeNull();
  });
});

describe('traffic', () => {
  const peak = { trafficPermille: 1170, maxDetourMs: 15 * minute };
  const aside = (pickup: number) => wish(pickup, 2, { latestMs: start + 60 * minute });

  test('makes every drive longer, and neither the stand at a stop nor the walk', () => {
    const [free, slow] = [ride({ maxDetourMs: 15 * minute }), ride(peak)];
    expect(slow.aloneMs).toBe(free.aloneMs * 1.17);
    // Out to 0.25 and back: five more minutes on a free road.
    expect(insert(free, aside(-0.25))).toMatchObject({ detourMs: 5 * minute + 2 * boardingMs });
    expect(insert(slow, aside(-0.25))).toMatchObject({ detourMs: 5 * minute * 1.17 + 2 * boardingMs });
  });
  test('is part of the driver’s limit: what just fits on a free road does not at the peak', () => {
    const limit = { maxDetourMs: 5 * minute + 2 * boardingMs };
    expect(insert(ride(limit), aside(-0.25))).not.toBeNull();
    expect(insert(ride({ ...limit, trafficPermille: 1001 }), aside(-0.25))).toBeNull();
  });
  test('of another hour makes of a plan what it would have been at that hour', () => {
    const via = [{ ...at(1), drive: travel(at(1), at(3)) }];
    const way = { drive: travel(at(0), at(1)), via };
    expect(inOtherTraffic(ride({ ...way, maxDetourMs: 15 * minute }), 1170, travel)).toEqual(
      ride({ ...way, ...peak }),
    );
    const joined = inOtherTraffic(join(ride({ maxDetourMs: 15 * minute }), aside(1), 'first'), 1170, travel);
    expect(joined.stops).toEqual(join(ride(peak), aside(1), 'first').stops);
    expect(withoutBooking(joined, 'first', travel)).toEqual(ride(peak));
  });
});

test('no road, no fit', () => {
  const each = wish(1, 2);
  const plan = ride();
  expect(bestInsertion(plan, each, { ...street(plan, each), toPickup: () => Infinity })).toBeNull();
  expect(bestInsertion(plan, each, { ...street(plan, each), fromDropoff: () => Infinity })).toBeNull();
});

/** The detour of the best insertion by trying everything, null where nothing fits. */
function leastDetourMs(plan: Plan, each: Wish): number | null {
  let taken = 0;
  const stops = plan.stops.map((stop) => {
    const seatsChange = stop.seatsTaken - taken;
    taken = stop.seatsTaken;
    return { ...stop, point: stop, seatsChange };
  });
  const spot = ([only]: Wish['pickups']) => [{ point: only!, walkMs: 0 }];
  return tryEverything(
    { ...plan, stops },
    { ...each, pickups: spot(each.pickups), dropoffs: spot(each.dropoffs) },
    travel,
  );
}

/** Out to 1 and back to 0.5 before the end at 3. */
const stopping = (fields: Parameters<typeof ride>[0] = {}) =>
  ride({
    drive: travel(at(0), at(1)),
    via: [
      { ...at(1), drive: travel(at(1), at(0.5)) },
      { ...at(0.5), drive: travel(at(0.5), at(3)) },
    ],
    ...fields,
  });

describe('stops of the driver’s own', () => {
  test('belong to driving alone, with a minute’s stand at each: the detour is measured against that', () => {
    const plan = stopping();
    expect(plan.aloneMs).toBe(40 * minute + 2 * boardingMs);
    expect(plan.stops.map(({ kind, standsMs }) => [kind, standsMs])).toEqual([
      ['start', 0],
      ['via', boardingMs],
      ['via', boardingMs],
      ['end', 0],
    ]);
    // A passenger in the opposite direction fits where the car drives back.
    expect(insert(plan, wish(0.9, 0.6))).toMatchObject({
      pickupAfter: 0,
      dropoffAfter: 1,
      detourMs: 2 * boardingMs,
    });
    expect(insert(ride(), wish(0.9, 0.6))).not.toMatchObject({ detourMs: 2 * boardingMs });
  });
  test('stay where somebody leaves, with their stand', () => {
    const alone = stopping();
    expect(withoutBooking(join(alone, wish(0.2, 2), 'first'), 'first', travel)).toEqual(alone);
    const two = join(
      join(stopping({ maxDetourMs: 20 * minute }), wish(0.2, 2), 'first'),
      wish(0.9, 2.5),
      'second',
    );
    const left = withoutBooking(two, 'first', travel);
    expect(
      left.stops.filter(({ kind }) => kind === 'via').every(({ standsMs }) => standsMs >= boardingMs),
    ).toBe(true);
    expect(offsetsOf(left.stops)[left.stops.findIndex(({ bookingId }) => bookingId !== null)]).toBe(
      offsetsOf(two.stops)[two.stops.findIndex(({ bookingId }) => bookingId === 'second')],
    );
  });
  test('count like everything else when all positions are tried, whatever the draw', () => {
    const random = randomFrom(20_261_120);
    const somewhere = () => Math.round(random() * 12) / 4;
    let [fitting, between] = [0, 0];
    for (let draw = 0; draw < 3000; draw++) {
      const way = [somewhere(), ...Array.from({ length: 1 + (draw % 3) }, somewhere), somewhere()];
      let plan = planAlone({
        from: at(way[0]!),
        to: at(way.at(-1)!),
        drive: travel(at(way[0]!), at(way[1]!)),
        via: way.slice(1, -1).map((east, i) => ({ ...at(east), drive: travel(at(east), at(way[i + 2]!)) })),
        seats: 2,
        earliestDepartsMs: start,
        latestDepartsMs: start + (draw % 4) * 10 * minute,
        trafficPermille: [freePermille, 1137, mostPermille][draw % 3]!,
        maxDetourMs: Math.round(random() * 20) * minute,
      });
      const anybody = () => wish(somewhere(), somewhere(), { latestMs: start + 60 * minute });
      const first = anybody();
      if (draw % 2 === 0 && insert(plan, first) !== null) plan = join(plan, first, 'first');
      const each = anybody();
      const found = insert(plan, each);
      expect(found?.detourMs ?? null).toBe(leastDetourMs(plan, each));
      if (found !== null) fitting++;
      if (found !== null && found.pickupAfter !== found.dropoffAfter) between++;
    }
    expect(fitting).toBeGreaterThan(500);
    expect(between).toBeGreaterThan(100);
  });
});
