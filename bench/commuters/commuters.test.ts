import { beforeAll, expect, test } from 'vitest';
import { greatCircleMetres } from '../../roads/graph/geometry.ts';
import { hourMs, minuteMs } from '../../server/platform/clock.ts';
import { randomFrom } from '../../server/testing/random.ts';
import { buildRegionRoads, extractOf, type RegionRoads } from '../region-roads.ts';
import { drawTrips, midnightMs, rideOf, wishOf } from './day.ts';
import { readTown, Streets, type Town } from './town.ts';

let region: RegionRoads;
let town: Town;
beforeAll(async () => {
  region = await buildRegionRoads(extractOf('santa-cruz'));
  town = await readTown(extractOf('santa-cruz'));
}, 120_000);

test('points are drawn by the metre, not by the street', () => {
  const streets = new Streets([
    [
      { lon: 0, lat: 0 },
      { lon: 0, lat: 0.03 },
    ],
    [
      { lon: 1, lat: 0 },
      { lon: 1, lat: 0.005 },
      { lon: 1, lat: 0.01 },
    ],
  ]);
  const random = randomFrom(5);
  const drawn = Array.from({ length: 4000 }, () => streets.draw(random));
  const onFirst = drawn.filter(({ lon }) => lon === 0).length;
  expect(onFirst / drawn.length).toBeCloseTo(0.75, 1);
  expect(drawn.every(({ lon, lat }) => lat >= 0 && lat <= (lon === 0 ? 0.03 : 0.01))).toBe(true);
  const lengths = greatCircleMetres({ lon: 0, lat: 0 }, { lon: 0, lat: 0.04 });
  expect(streets.metres).toBeCloseTo(lengths, 0);
});

test('everybody goes there in the morning and back in the evening, on roads, the same for the same seed', () => {
  const trips = drawTrips(town, region.roads, 200, randomFrom(1));
  expect(trips).toEqual(drawTrips(town, region.roads, 200, randomFrom(1)));
  expect(trips).not.toEqual(drawTrips(town, region.roads, 200, randomFrom(2)));
  expect(trips).toHaveLength(400);
  const [mornings, evenings] = [trips.filter((_, i) => i % 2 === 0), trips.filter((_, i) => i % 2 === 1)];
  for (const [i, there] of mornings.entries()) {
    const back = evenings[i]!;
    expect(back).toMatchObject({ person: there.person, from: there.to, to: there.from });
    expect(back.leavesMs).toBeGreaterThan(there.leavesMs);
    expect(Math.min(there.drive.milliseconds, back.drive.milliseconds)).toBeGreaterThanOrEqual(5 * minuteMs);
    const point = region.roads.network.snap(there.from)!;
    expect(point.estimated).toBe(false);
    expect(greatCircleMetres(point, there.from)).toBeLessThan(0.1);
  }
  const middle = mornings.map(({ leavesMs }) => leavesMs - midnightMs).toSorted((a, b) => a - b)[100]!;
  expect(Math.abs(middle - 7.83 * hourMs)).toBeLessThan(15 * minuteMs);
});

test('a trip becomes a ride within its flexibility, or a wish that its own drive would satisfy', () => {
  const [trip] = drawTrips(town, region.roads, 1, randomFrom(1));
  const { plan } = rideOf(trip!, 0);
  expect(
    [plan.earliestDepartsMs, plan.departsMs, plan.latestDepartsMs].map((ms) => ms - trip!.leavesMs),
  ).toEqual([-10 * minuteMs, 0, 10 * minuteMs]);
  const wish = wishOf(trip!);
  expect(wish.earliestMs).toBeLessThan(trip!.leavesMs);
  expect(wish.arriveByMs).toBeGreaterThan(wish.latestMs + trip!.drive.milliseconds);
});
