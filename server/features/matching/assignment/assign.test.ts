import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadRoadNetwork } from '#roads/graph/load.ts';
import type { LonLat, RoadNetwork } from '#roads/graph/network.ts';
import { testRoadCache } from '../../../testing/cache-folder.ts';
import { drawEventCrowd } from '../../../testing/event-crowd.ts';
import { solveExactly } from '../../../testing/exact-assignment.ts';
import { randomFrom } from '../../../testing/random.ts';
import { boardingMs } from '../rules/plan.ts';
import { meetingSpot } from '../rules/wish.ts';
import { assign } from './assign.ts';
import type { Assignment, Problem } from './problem.ts';

const at = { lon: -121.9533, lat: 36.9752 };
const budgetMs = 10_000;
let network: RoadNetwork;
beforeAll(async () => {
  network = await loadRoadNetwork({
    pbfFile: 'regions/santa-cruz/roads.osm.pbf',
    cacheFolder: testRoadCache,
  });
}, 60_000);

const travelMs = (from: LonLat, to: LonLat): number =>
  network.travel(network.snap(from)!, network.snap(to)!)?.milliseconds ?? Infinity;

function crowd(seed: number, drivers: number, passengers: number) {
  const random = randomFrom(seed);
  return drawEventCrowd({
    network,
    at,
    drivers,
    passengers,
    random,
    home: (draw) => ({ lon: -122.06 + draw() * 0.16, lat: 36.965 + draw() * 0.045 }),
    // A corner a few steps away that is as good as a meeting point.
    spots: ({ lon, lat }) => {
      const point = network.snap({ lon: lon + 0.003, lat });
      return point === null
        ? []
        : [meetingSpot({ lon: point.lon, lat: point.lat, walkMetres: 270, name: '' })];
    },
  });
}

/** Every rule of a fit, checked on the times of the answer alone. */
function expectSound({ rides, wishes }: Pick<Problem, 'rides' | 'wishes'>, answer: Assignment): void {
  const placed = answer.assigned.map(({ wish }) => wish);
  expect([...placed, ...answer.left].toSorted((a, b) => a - b)).toEqual(wishes.map((_, wish) => wish));
  for (const { wish, pickupMs, dropoffMs } of answer.assigned) {
    const { earliestMs, latestMs, arriveByMs } = wishes[wish]!;
    expect(pickupMs).toBeGreaterThanOrEqual(earliestMs);
    expect(pickupMs).toBeLessThanOrEqual(latestMs);
    expect(dropoffMs).toBeLessThanOrEqual(arriveByMs);
    expect(dropoffMs).toBeGreaterThanOrEqual(pickupMs + boardingMs);
  }
  for (const [ride, { departsMs, extraMs }] of answer.rides.entries()) {
    const { seats, maxDetourMs, earliestDepartsMs, latestDepartsMs } = rides[ride]!;
    const aboard = answer.assigned.filter((each) => each.ride === ride);
    expect(extraMs).toBeLessThanOrEqual(maxDetourMs);
    expect(departsMs).toBeGreaterThanOrEqual(earliestDepartsMs);
    expect(departsMs).toBeLessThanOrEqual(latestDepartsMs);
    for (const { pickupMs } of aboard) {
      const then = aboard.filter((each) => each.pickupMs <= pickupMs && each.dropoffMs > pickupMs);
      expect(then.reduce((sum, { wish }) => sum + wishes[wish]!.seats, 0)).toBeLessThanOrEqual(seats);
    }
  }
}

test('a plan keeps every rule and is never worse than the greedy one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 18 }),
      (seed, drivers, passengers) => {
        const few = crowd(seed, drivers, passengers);
        const answer = assign({ ...few, kept: [], seed, patience: 60, budgetMs }, network);
        expectSound(few, answer);
        const { greedy } = answer;
        expect(answer.leftSeats).toBeLessThanOrEqual(greedy.leftSeats);
        if (answer.leftSeats === greedy.leftSeats)
          expect(answer.costMs).toBeLessThanOrEqual(greedy.costMs + 1e-6);
      },
    ),
    { numRuns: 40, seed: 6 },
  );
});

test('small ones come within 5 % of the optimum, in seats and in what is driven', () => {
  let [found, best, foundMs, bestMs, greedyFound] = [0, 0, 0, 0, 0];
  for (let seed = 1; seed <= 25; seed++) {
    const few = crowd(seed, 3, 6);
    const wanted = few.wishes.reduce((sum, { seats }) => sum + seats, 0);
    const answer = assign({ ...few, kept: [], seed, patience: 400, budgetMs }, network);
    const exact = solveExactly(few, travelMs);
    expect(answer.leftSeats).toBeGreaterThanOrEqual(exact.leftSeats);
    if (answer.leftSeats === exact.leftSeats) {
      expect(answer.costMs).toBeGreaterThanOrEqual(exact.costMs - 1e-6);
      foundMs += answer.costMs;
      bestMs += exact.costMs;
    }
    found += wanted - answer.leftSeats;
    best += wanted - exact.leftSeats;
    greedyFound += wanted - answer.greedy.leftSeats;
  }
  expect(found).toBeGreaterThanOrEqual(best * 0.95);
  expect(foundMs).toBeLessThanOrEqual(bestMs * 1.05);
  // Greedy falls short of it, or the test would show nothing.
  expect(greedyFound).toBeLessThan(best);
});

test('what has been proposed stays where it is, and what fits no more comes back', () => {
  const few = crowd(3, 3, 8);
  const free = assign({ ...few, kept: [], seed: 1, patience: 60, budgetMs }, network);
  const kept = free.assigned.slice(0, 2).map(({ ride, wish }) => ({ ride, wish }));
  const again = assign({ ...few, kept, seed: 2, patience: 60, budgetMs }, network);
  expect(again.lost).toEqual([]);
  for (const pair of kept) expect(again.assigned).toContainEqual(expect.objectContaining(pair));
  const full = few.rides.map((plan) => ({ ...plan, seats: 0 }));
  const none = assign({ ...few, rides: full, kept, seed: 1, patience: 60, budgetMs }, network);
  expect(none.lost).toEqual(kept);
  expect(none.assigned).toEqual([]);
});

test('who may not ride together does not, and the same seed finds the same plan', () => {
  const few = crowd(7, 3, 8);
  const allowed = few.allowed.filter(({ ride, wish }) => (ride + wish) % 2 === 0);
  const task = { ...few, allowed, kept: [], seed: 4, patience: 40, budgetMs: 1e9 };
  const answer = assign(task, network);
  expect(answer.assigned.length).toBeGreaterThan(0);
  for (const { ride, wish } of answer.assigned) expect((ride + wish) % 2).toBe(0);
  expect(assign(task, network).assigned).toEqual(answer.assigned);
});
