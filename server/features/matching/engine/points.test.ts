import { beforeAll, expect, test } from 'vitest';
import { openRoadPlaces, pointsOfRoad, type RoadPlaces } from '../../../testing/matching-places.ts';
import { randomFrom } from '../../../testing/random.ts';
import { Shapes, type Place } from './places.ts';
import { Points } from './points.ts';

let graph: RoadPlaces['graph'];
let places: RoadPlaces['places'];
beforeAll(async () => {
  ({ graph, places } = await openRoadPlaces());
}, 120_000);

test('along one road no drive is shorter than the least times say, in either direction', () => {
  const random = randomFrom(20_261_127);
  const points = new Points(places, () => 1);
  const { toFirst, fromFirst } = places.sweeps;
  let along = 0;
  for (let draw = 0; draw < 3_000; draw++) {
    const { line, drawn } = pointsOfRoad(graph, random);
    const [own, spot, elsewhere] = [drawn(), drawn(), { lon: line[0]![0] + 0.01, lat: line[0]![1] }];
    const [ownPlace, spotPlace] = [places.at(own), places.at(spot)];
    if (ownPlace === null || spotPlace === null || ownPlace.shape !== spotPlace.shape) continue;
    // With a second meeting point that lies elsewhere, and may be nearer than the way around.
    const spots = [spotPlace, places.at(elsewhere)].filter((place): place is Place => place !== null);
    toFirst.start(
      spots.map(({ arrivals }) => arrivals),
      spots.length,
    );
    fromFirst.start(
      spots.map(({ departures }) => departures),
      spots.length,
    );
    points.put(0, own, ownPlace);
    const there = Math.min(...spots.map(({ point }) => msBetween(ownPlace, { point })));
    const back = Math.min(...spots.map((from) => msBetween(from, ownPlace)));
    expect(points.leastFrom(0, toFirst)).toBeLessThanOrEqual(there);
    expect(points.leastTo(0, fromFirst, new Shapes(spots))).toBeLessThanOrEqual(back);
    // Around, where the sweep alone would go, is longer.
    if (points.leastTo(0, fromFirst, new Shapes([])) > back) along++;
    points.drop(0);
  }
  expect(along).toBeGreaterThan(100);
});

const msBetween = ({ point }: Pick<Place, 'point'>, to: Pick<Place, 'point'>): number =>
  places.network.travel(point, to.point)?.milliseconds ?? Infinity;
