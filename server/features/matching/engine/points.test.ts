import { beforeAll, expect, test } from 'vitest';
import { buildCells } from '#roads/graph/cells.ts';
import { createRoadNetwork } from '#roads/graph/graph-network.ts';
import { edgeLine, type RoadGraph } from '#roads/graph/graph.ts';
import { loadRoadGraph } from '#roads/graph/load.ts';
import { timeHierarchy } from '#roads/search/time-arcs.ts';
import { testRoadCache } from '../../../testing/cache-folder.ts';
import { randomFrom } from '../../../testing/random.ts';
import { Places, Shapes, type Place } from './places.ts';
import { Points } from './points.ts';

let graph: RoadGraph;
let places: Places;
beforeAll(async () => {
  graph = await loadRoadGraph({ pbfFile: 'regions/santa-cruz/roads.osm.pbf', cacheFolder: testRoadCache });
  const roads = { graph, cells: buildCells(graph), times: timeHierarchy(graph) };
  places = new Places(createRoadNetwork(graph), roads);
}, 120_000);

test('along one road no drive is shorter than the least times say, in either direction', () => {
  const random = randomFrom(20_261_127);
  const points = new Points(places);
  const { toFirst, fromFirst } = places.sweeps;
  let along = 0;
  for (let draw = 0; draw < 3_000; draw++) {
    const line = edgeLine(graph, Math.floor(random() * graph.edgeCount));
    const drawn = () => {
      const at = Math.floor(random() * (line.length - 1));
      const share = random();
      const [[fromLon, fromLat], [toLon, toLat]] = [line[at]!, line[at + 1]!];
      return { lon: fromLon + (toLon - fromLon) * share, lat: fromLat + (toLat - fromLat) * share };
    };
    const [own, spot, elsewhere] = [drawn(), drawn(), { lon: line[0]![0] + 0.01, lat: line[0]![1] }];
    const [ownPlace, spotPlace] = [places.at(own), places.at(spot)];
    if (ownPlace === null || spotPlace === null || ownPlace.shape !== spotPlace.shape) continue;
    // With a second spot that lies elsewhere, and may be nearer than the way around.
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
