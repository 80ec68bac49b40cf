import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCells, cellOf, enteringSeconds, leavingSeconds, type RoadCells } from './cells.ts';
import { createRoadNetwork } from './graph-network.ts';
import type { RoadGraph } from './graph.ts';
import { loadRoadGraph } from './load.ts';
import type { RoadNetwork, RoadPoint } from './network.ts';

const cacheFolder = mkdtempSync(path.join(os.tmpdir(), 'sameway-cells-'));
let graph: RoadGraph;
let network: RoadNetwork;
let cells: RoadCells;
let somewhere: fc.Arbitrary<RoadPoint>;

beforeAll(async () => {
  graph = await loadRoadGraph({ pbfFile: 'regions/santa-cruz/roads.osm.pbf', cacheFolder });
  network = createRoadNetwork(graph);
  cells = buildCells(graph);
  const [west, south, east, north] = network.bounds;
  somewhere = fc
    .record({
      lon: fc.double({ min: west - 0.3, max: east + 0.3, noNaN: true }),
      lat: fc.double({ min: south, max: north + 0.3, noNaN: true }),
    })
    .map((at) => network.snap(at))
    .filter((point) => point !== null);
}, 60_000);
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

function bound(from: RoadPoint, to: RoadPoint): number {
  const [start, end] = [cellOf(cells, graph, from), cellOf(cells, graph, to)];
  if (start === end) return 0;
  const between = cells.seconds[start * cells.count + end]!;
  return (leavingSeconds(cells, graph, from) + between + enteringSeconds(cells, to)) * 1000;
}

test('no drive takes less than the bound between its cells, beyond the region neither', () => {
  fc.assert(
    fc.property(somewhere, fc.array(somewhere, { minLength: 20, maxLength: 20 }), (from, ends) => {
      network.oneToMany(from, ends).forEach((travel, i) => {
        if (travel !== null) expect(travel.milliseconds).toBeGreaterThanOrEqual(bound(from, ends[i]!));
      });
    }),
    { numRuns: 300 },
  );
});

test('nor does a drive by way of other places of the region, where the car may turn round for nothing', () => {
  const inside = somewhere.filter((point) => !point.estimated);
  fc.assert(
    fc.property(fc.array(inside, { minLength: 3, maxLength: 6 }), (stops) => {
      let milliseconds = 0;
      for (let i = 1; i < stops.length; i++)
        milliseconds += network.travel(stops[i - 1]!, stops[i]!)!.milliseconds;
      expect(milliseconds).toBeGreaterThanOrEqual(bound(stops[0]!, stops.at(-1)!));
    }),
    { numRuns: 2000 },
  );
});

test('the bounds are worth having, and the same graph is always cut alike', () => {
  const points = fc.sample(
    somewhere.filter((point) => !point.estimated),
    { numRuns: 150, seed: 1 },
  );
  let [driven, bounded] = [0, 0];
  for (const from of points) {
    network.oneToMany(from, points).forEach((travel, i) => {
      driven += travel!.milliseconds;
      bounded += bound(from, points[i]!);
    });
  }
  expect(bounded / driven).toBeGreaterThan(0.8);
  const again = buildCells(graph);
  expect(again.seconds).toEqual(cells.seconds);
  expect(again.cellOfShape).toEqual(cells.cellOfShape);
});
