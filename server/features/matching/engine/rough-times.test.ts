import { beforeAll, expect, test } from 'vitest';
import { edgeLine } from '#roads/graph/graph.ts';
import { inTraffic, mostPermille } from '#roads/graph/traffic.ts';
import { openRoadPlaces, questionBetween, type RoadPlaces } from '../../../testing/matching-places.ts';
import { randomFrom } from '../../../testing/random.ts';
import type { Place } from './places.ts';
import { RideWays } from './ride-ways.ts';
import { RoughTimes } from './rough-times.ts';

let graph: RoadPlaces['graph'];
let places: RoadPlaces['places'];
beforeAll(async () => {
  ({ graph, places } = await openRoadPlaces());
}, 120_000);

test('no drive between a stop and a spot is shorter than its cells say, and most cells say something', () => {
  const random = randomFrom(20_261_128);
  const drawn = (): Place => {
    const [lon, lat] = edgeLine(graph, Math.floor(random() * graph.edgeCount))[0]!;
    return places.at({ lon, lat })!;
  };
  const ways = new RideWays(places);
  const rough = new RoughTimes({ places, ways });
  let [bounded, all] = [0, 0];
  for (let draw = 0; draw < 60; draw++) {
    const [pickup, dropoff] = [drawn(), drawn()];
    const question = questionBetween(places, pickup, dropoff);
    rough.start(question);
    const stops = Array.from({ length: 2 + (draw % 5) }, drawn);
    const permille = draw % 2 === 0 ? 1000 : mostPermille;
    rough.open(ways.put(stops), stops.length, { permille, leastDirectMs: 0 });
    for (const [at, stop] of stops.entries())
      for (const [least, from, to] of [
        [rough.leastToPickups(at), stop, pickup],
        [rough.leastFromPickups(at), pickup, stop],
        [rough.leastToDropoffs(at), stop, dropoff],
        [rough.leastFromDropoffs(at), dropoff, stop],
      ] as const) {
        const ms = places.network.travel(from.point, to.point)?.milliseconds ?? Infinity;
        expect(least).toBeLessThanOrEqual(inTraffic(ms, permille));
        all++;
        if (least > 0) bounded++;
      }
  }
  expect(bounded).toBeGreaterThan(all / 2);
});
