import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRoadGraph } from '../build/build.ts';
import { readRoadData } from '../build/extract.ts';
import { greatCircleMetres, type Bounds, type LonLat } from './geometry.ts';
import { createRoadNetwork } from './graph-network.ts';
import { completeGraph, type RoadGraph } from './graph.ts';
import type { RoadNetwork, RoadPoint } from './network.ts';
import { textbookLabels, textbookTravel } from '../testing/textbook.ts';

const REGIONS = [
  { name: 'santa-cruz', pbfFile: 'regions/santa-cruz/roads.osm.pbf', sources: 30, always: true },
  {
    name: 'porto',
    pbfFile: '../shared/data/regions/porto/porto_portugal.osm.pbf',
    sources: 6,
    always: false,
  },
  {
    name: 'central-pa',
    pbfFile: '../shared/data/regions/central-pa/central-pa.osm.pbf',
    sources: 8,
    always: false,
  },
];
const TARGETS_PER_SOURCE = 15;

const placesIn = ([west, south, east, north]: Bounds): fc.Arbitrary<LonLat> =>
  fc.record({
    lon: fc.double({ min: west, max: east, noNaN: true }),
    lat: fc.double({ min: south, max: north, noNaN: true }),
  });
/** The offset of a second point from a first, in thousandths of a degree. */
const nearBy = fc.tuple(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1, max: 1, noNaN: true }),
);

function expectAsTextbook(
  graph: RoadGraph,
  network: RoadNetwork,
  from: RoadPoint,
  targets: readonly RoadPoint[],
): void {
  const labels = textbookLabels(graph, from);
  const travelFrom = network.travelFrom(from);
  const many = network.oneToMany(from, targets);
  const fromLabel = network.label(from, 'from');
  for (const [i, to] of targets.entries()) {
    const expected = textbookTravel(graph, labels, from, to);
    expect(network.travel(from, to)).toEqual(expected);
    expect(travelFrom(to)).toEqual(expected);
    expect(many[i]).toEqual(expected);
    expect(network.meet(fromLabel, network.label(to, 'to'))).toEqual(expected);
    const { line, streets, ...travel } = network.route(from, to)!;
    expect(travel).toEqual(expected);
    expect(line[0]).toEqual([from.lon, from.lat]);
    expect(line.at(-1)).toEqual([to.lon, to.lat]);
    expect(streets.reduce((sum, street) => sum + street.metres, 0)).toBeLessThanOrEqual(
      travel.metres + streets.length,
    );
  }
}

function metresOf(line: readonly (readonly [number, number])[]): number {
  let length = 0;
  for (let i = 1; i < line.length; i++) {
    const [lonA, latA] = line[i - 1]!;
    const [lonB, latB] = line[i]!;
    length += greatCircleMetres({ lon: lonA, lat: latA }, { lon: lonB, lat: latB });
  }
  return length;
}

/** No vertex of a road with pick-up lies nearer than `reach` meters. */
function expectNoneNearer(graph: RoadGraph, at: LonLat, reach: number): void {
  for (let e = 0; e < graph.edgeCount; e++) {
    if (!(graph.edgeFlags[e]! & 1)) continue;
    const shape = graph.edgeShape[e]! >> 1;
    for (let i = graph.shapeStart[shape]!; i < graph.shapeStart[shape + 1]!; i++) {
      const vertex = {
        lon: graph.shapePoints[2 * i]! * 1e-7,
        lat: graph.shapePoints[2 * i + 1]! * 1e-7,
      };
      if (Math.abs(vertex.lat - at.lat) > 0.02) continue;
      if (greatCircleMetres(at, vertex) < reach * 0.999 - 0.5) throw new Error('a nearer road');
    }
  }
}

// Building the graph of a foreign region takes longer than all of its tests: `npm run test:long` runs those.
const tried = REGIONS.filter(({ always }) => always || process.env['TEST_LONG'] === '1');

for (const { name, pbfFile, sources, always } of tried) {
  const present = existsSync(pbfFile);
  if (!present && !always) console.warn(`SKIPPED: ${name} is not tested, for want of ${pbfFile}`);

  describe.skipIf(!present && !always)(`the roads of ${name}`, () => {
    let graph: RoadGraph;
    let network: RoadNetwork;
    let somewhere: fc.Arbitrary<RoadPoint>;

    beforeAll(async () => {
      graph = completeGraph(buildRoadGraph(await readRoadData(pbfFile)));
      network = createRoadNetwork(graph);
      somewhere = placesIn(network.bounds)
        .map((at) => network.snap(at))
        .filter((point) => point !== null);
    }, 60_000);

    test('every face answers as textbook Dijkstra does, to the millisecond and the metre', () => {
      fc.assert(
        fc.property(
          somewhere,
          fc.array(somewhere, { minLength: TARGETS_PER_SOURCE, maxLength: TARGETS_PER_SOURCE }),
          fc.array(nearBy, { minLength: 3, maxLength: 3 }),
          (from, far, offsets) => {
            const near = offsets
              .map(([x, y]) => network.snap({ lon: from.lon + x * 0.001, lat: from.lat + y * 0.001 }))
              .filter((point) => point !== null);
            expectAsTextbook(graph, network, from, [...far, ...near, from]);
          },
        ),
        { numRuns: sources },
      );
    }, 120_000);

    test('travelTo agrees with travel', () => {
      fc.assert(
        fc.property(somewhere, fc.array(somewhere, { minLength: 10, maxLength: 10 }), (to, origins) => {
          const travelTo = network.travelTo(to);
          for (const from of [...origins, to]) expect(travelTo(from)).toEqual(network.travel(from, to));
        }),
        { numRuns: sources },
      );
    }, 120_000);

    test('a table of many to many agrees with textbook Dijkstra', () => {
      const points = fc.array(somewhere, { minLength: 1, maxLength: 12 });
      fc.assert(
        fc.property(points, points, (from, to) => {
          const table = network.manyToMany([...from, to[0]!], to);
          expect(table).toHaveLength(from.length + 1);
          for (const [row, start] of [...from, to[0]!].entries()) {
            const labels = textbookLabels(graph, start);
            expect(table[row]).toEqual(to.map((end) => textbookTravel(graph, labels, start, end)));
          }
        }),
        { numRuns: Math.ceil(sources / 4) },
      );
    }, 120_000);

    test('a route is as long as its line, and its line starts and ends on the road', () => {
      fc.assert(
        fc.property(somewhere, somewhere, (from, to) => {
          const { line, metres } = network.route(from, to)!;
          const length = metresOf(line);
          expect(Math.abs(length - metres)).toBeLessThan(5 + metres * 0.002);
        }),
        { numRuns: 100 },
      );
    }, 120_000);

    test('the nearest road is the nearest: no vertex of a usable road lies nearer', () => {
      fc.assert(
        fc.property(placesIn(network.bounds), (at) => {
          const reach = network.snap(at)?.metresFromRoad ?? 1_000;
          expectNoneNearer(graph, at, reach);
        }),
        { numRuns: 20 },
      );
    }, 120_000);
  });
}
