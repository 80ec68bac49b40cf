import { expect, test } from 'vitest';
import { createEstimateNetwork } from '../../roads/graph/estimate.ts';
import { meetingSpot } from '../../server/features/matching/rules/wish.ts';
import { midnightMs, rideOf, shuffled, wishOf, type Trip } from '../commuters/day.ts';
import { randomFrom } from '../../server/testing/random.ts';
import { Roads } from '../region-roads.ts';
import { play, type Method, type Wanted } from './game.ts';
import { radiusSearch, routeBuffer, sameway } from './methods.ts';
import { keptBookings } from './replay.ts';

// Without a region every drive is an estimate by distance: a plane on which any road goes straight.
const roads = new Roads(createEstimateNetwork());
const km = 1 / 111.195;
const at = (x: number, y: number) => ({ lon: x * km, lat: y * km });
const eightMs = midnightMs + 8 * 3_600_000;
const minuteMs = 60_000;

type Point = [x: number, y: number];
const trip = (person: number, from: Point, to: Point, leavesMs = eightMs): Trip => ({
  person,
  from: at(...from),
  to: at(...to),
  drive: roads.travel(at(...from), at(...to)),
  leavesMs,
});
const wanted = (person: number, from: Point, to: Point, leavesMs = eightMs): Wanted => {
  const wish = wishOf(trip(person, from, to, leavesMs));
  return {
    id: `request ${person}`,
    person,
    driveMetres: roads.travel(at(...from), at(...to)).metres,
    atDoor: wish,
    walking: wish,
  };
};
const rides = (...trips: Trip[]) => trips.map(rideOf);
const exactly = (walks: boolean, order: 'ranking' | 'least detour' = 'ranking') =>
  sameway({ shared: null }, { walks, order, nowMs: midnightMs });
const exact = exactly(false);
const everyMethod: Method[] = [
  radiusSearch(1000),
  radiusSearch(3000),
  routeBuffer(1000, roads, false),
  exact,
];

// Up to four kilometres a kilometre is two minutes: an estimate goes faster on longer ways.
const eastward = trip(0, [0, 0], [4.2, 0]);
const matchedBy = (of: Trip[], wishes: Wanted[]) =>
  Object.fromEntries(
    everyMethod.map((method) => [method.name, play(rides(...of), wishes, method, { roads }).bookings.length]),
  );

test.each<{
  what: string;
  from: Point;
  to: Point;
  found: [radius1: number, radius3: number, buffer: number];
}>([
  { what: 'next door to both ends', from: [0.4, 0.3], to: [4.5, 0.4], found: [1, 1, 1] },
  { what: 'some way into the route', from: [1.5, 0.3], to: [3.9, 0.4], found: [0, 1, 1] },
  { what: 'far along the route', from: [3.1, 0.3], to: [4.1, 0.1], found: [0, 0, 1] },
  { what: 'a turn off the route', from: [3.1, 1.5], to: [4.1, 0], found: [0, 0, 0] },
])('who lives $what', ({ from, to, found: [radius1, radius3, buffer] }) => {
  expect(matchedBy([eastward], [wanted(1, from, to)])).toEqual({
    'radius 1 km': radius1,
    'radius 3 km': radius3,
    'route buffer 1 km': buffer,
    'Sameway, at the door': 1,
  });
});

test('nobody is taken the other way or at another hour, whatever the method', () => {
  const wishes = [wanted(1, [4.2, 0], [0, 0]), wanted(2, [0, 0], [4.2, 0], eightMs + 120 * minuteMs)];
  expect(Object.values(matchedBy([eastward], wishes))).toEqual([0, 0, 0, 0]);
});

test('three seats are three seats, and who comes later asks the next driver', () => {
  const second = trip(1, [0.5, 0], [4.7, 0]);
  const wishes = [2, 3, 4, 5].map((person) => wanted(person, [0.1, 0.1], [4.3, 0.1]));
  const { bookings, rides: standing } = play(rides(eastward, second), wishes, radiusSearch(1000), { roads });
  expect(bookings).toHaveLength(4);
  expect([...standing.values()].map(({ joinedSeats }) => joinedSeats)).toEqual([3, 1]);
});

test('a driver who cannot says no: the proposal counts as broken, and the next one is asked', () => {
  // The nearer one may leave just before the passenger will not wait any longer, and is a kilometre away.
  const late = trip(0, [0, 0], [4, 0], eightMs + 30 * minuteMs);
  const other = trip(1, [-1, 1], [4.5, 1]);
  const played = play(rides(late, other), [wanted(2, [1, 0], [3.8, 0])], radiusSearch(3000), { roads });
  const { bookings, proposals, broken, shown, firstBroken } = played;
  expect({ proposals, broken, shown, firstBroken }).toEqual({
    proposals: 2,
    broken: 1,
    shown: 1,
    firstBroken: 1,
  });
  expect(bookings.map(({ rideId, asks }) => ({ rideId, asks }))).toEqual([
    { rideId: rides(late, other)[1]!.id, asks: 2 },
  ]);
  const once = play(rides(late, other), [wanted(2, [1, 0], [3.8, 0])], radiusSearch(3000), {
    roads,
    mostAsks: 1,
  });
  expect(once.bookings).toEqual([]);
  expect(once).toMatchObject({ proposals, broken, shown, firstBroken });
});

test('what is played is kept when it is driven, and a ride that is not kept is seen', () => {
  const random = randomFrom(7);
  const drawn = (): Point => [random() * 20, random() * 12];
  const offers = Array.from({ length: 60 }, (_, i) => trip(i, drawn(), drawn()));
  const wishes = Array.from({ length: 60 }, (_, i) => wanted(100 + i, drawn(), drawn()));
  for (const method of everyMethod) {
    const { bookings, rides: standing } = play(rides(...offers), wishes, method, { roads });
    const byRide = Map.groupBy(bookings, ({ rideId }) => rideId);
    for (const [rideId, of] of byRide) {
      const ride = standing.get(rideId)!;
      expect(keptBookings(ride, of, roads)).toBe(of.length);
      const hurried = { ...ride, plan: { ...ride.plan, maxDetourMs: 0 } };
      expect(keptBookings(hurried, of, roads)).toBe(0);
      const delayed = {
        ...ride,
        plan: { ...ride.plan, latestDepartsMs: Infinity, departsMs: eightMs + 3_600_000 },
      };
      expect(keptBookings(delayed, of, roads)).toBe(0);
    }
    if (method === exact) expect(bookings.length).toBeGreaterThan(20);
  }
});

test('who may walk is met where it saves the driver time', () => {
  const door = wanted(1, [3.1, 2], [4.1, 0]);
  const corner = meetingSpot({ ...at(3.1, 0.05), walkMetres: 300, name: 'Corner' });
  const walker = { ...door, walking: { ...door.walking, pickups: [...door.walking.pickups, corner] } };
  const walkOf = (walks: boolean) =>
    play(rides(eastward), [walker], exactly(walks), { roads }).bookings.map(
      ({ insertion }) => insertion.pickup.walkMetres,
    );
  expect(walkOf(false)).toEqual([0]);
  expect(walkOf(true)).toEqual([300]);
});

test('the ranking weighs the wait too, the least detour nothing else', () => {
  const soon = trip(0, [0, 0.3], [4.2, 0.3], eightMs - 5 * minuteMs);
  const onTheWay = trip(1, [0, 0], [4.2, 0], eightMs + 25 * minuteMs);
  const offers = rides(soon, onTheWay);
  const wish = wanted(2, [0, 0], [4.2, 0]);
  const first = (order: 'ranking' | 'least detour') =>
    play(offers, [wish], exactly(false, order), { roads }).bookings.map(({ rideId }) => rideId);
  expect(first('ranking')).toEqual([offers[0]!.id]);
  expect(first('least detour')).toEqual([offers[1]!.id]);
});

test('an order drawn by chance is the same for the same seed and loses nobody', () => {
  const list = Array.from({ length: 100 }, (_, i) => i);
  const drawn = shuffled(list, randomFrom(3));
  expect(drawn).toEqual(shuffled(list, randomFrom(3)));
  expect(drawn).not.toEqual(list);
  expect(drawn.toSorted((a, b) => a - b)).toEqual(list);
});
