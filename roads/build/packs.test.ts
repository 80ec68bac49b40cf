import * as fc from 'fast-check';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRoadGraph, buildSharedGraph } from './build.ts';
import { readRoadData, type RoadData } from './extract.ts';
import { greatCircleMetres, withinBounds, type Bounds, type LonLat } from '../graph/geometry.ts';
import { createRoadNetwork } from '../graph/graph-network.ts';
import { completeGraph, NO_PART, type RoadGraph } from '../graph/graph.ts';
import { loadRoadNetwork } from '../graph/load.ts';
import type { RoadNetwork, RoadPoint } from '../graph/network.ts';
import { OUTSIDE_LIMIT_METRES, outsideMilliseconds } from '../graph/outside.ts';
import { gridTown } from '../testing/grid-town.ts';
import { textbookLabels, textbookTravel } from '../testing/textbook.ts';
import { writePbf } from '../build/write-pbf.ts';

const PBF_FILE = 'regions/santa-cruz/roads.osm.pbf';
const NEAR_SALINAS = { lon: -121.65, lat: 36.67 };

const packOf = (data: RoadData, drivesOnLeft = false) => ({ data, drivesOnLeft });
const graphOf = (...all: RoadData[]) => completeGraph(buildSharedGraph(all.map((data) => packOf(data))));

/** Road points anywhere in the rectangles. */
function somewhereIn(network: RoadNetwork, ...rectangles: Bounds[]): fc.Arbitrary<RoadPoint> {
  return fc
    .oneof(
      ...rectangles.map(([west, south, east, north]) =>
        fc.record({
          lon: fc.double({ min: west, max: east, noNaN: true }),
          lat: fc.double({ min: south, max: north, noNaN: true }),
        }),
      ),
    )
    .map((at) => network.snap(at))
    .filter((point) => point !== null);
}

/**
 * The same places on the roads of two networks. Not at a junction: there all its roads are equally near, and
 * which of them is used depends on their order.
 */
function samePlaces(a: RoadNetwork, b: RoadNetwork, rectangle: Bounds): fc.Arbitrary<[RoadPoint, RoadPoint]> {
  return somewhereIn(a, rectangle)
    .map((point): [RoadPoint, RoadPoint | null] => [point, b.snap(point)])
    .map(([point, other]): [RoadPoint | null, RoadPoint | null] => [a.snap(point), other])
    .filter((pair): pair is [RoadPoint, RoadPoint] =>
      pair.every((point) => point?.arrivals.every(({ fraction }) => fraction > 0.001 && fraction < 0.999)),
    );
}

const linksOf = (graph: RoadGraph) => graph.edgePart.filter((part) => part === NO_PART).length;

/** Every query of the network equals textbook Dijkstra on the same graph, links included. */
function expectExact(graph: RoadGraph, network: RoadNetwork, point: fc.Arbitrary<RoadPoint>, runs: number) {
  const partOf = ({ arrivals }: RoadPoint) => graph.edgePart[arrivals[0]!.edge]!;
  fc.assert(
    fc.property(point, fc.array(point, { minLength: 10, maxLength: 10 }), (from, targets) => {
      const labels = textbookLabels(graph, from);
      const travelFrom = network.travelFrom(from);
      const many = network.oneToMany(from, targets);
      const [row] = network.manyToMany([from], targets);
      const label = network.label(from, 'from');
      for (const [i, to] of targets.entries()) {
        const expected = {
          ...textbookTravel(graph, labels, from, to)!,
          estimated: partOf(from) !== partOf(to),
        };
        expect(network.travel(from, to)).toEqual(expected);
        expect(travelFrom(to)).toEqual(expected);
        expect(network.travelTo(to)(from)).toEqual(expected);
        expect(many[i]).toEqual(expected);
        expect(row![i]).toEqual(expected);
        expect(network.meet(label, network.label(to, 'to'))).toEqual(expected);
        const { line, streets: _, ...routed } = network.route(from, to)!;
        expect(routed).toEqual(expected);
        let length = 0;
        for (let k = 1; k < line.length; k++)
          length += greatCircleMetres(position(line[k - 1]!), position(line[k]!));
        // A link's line is straight, and its length 1.35 times that.
        expect(length).toBeLessThan(expected.metres * 1.01 + 5);
      }
    }),
    { numRuns: runs },
  );
}

const position = ([lon, lat]: [number, number]): LonLat => ({ lon, lat });

const west = gridTown({ southWest: { lon: 10, lat: 50 }, firstId: 1_000, oneWayRing: true });
const east = gridTown({ southWest: { lon: 10.5, lat: 50.1 }, firstId: 2_000 });

describe('two towns that no road joins', () => {
  test('are one network, exact, estimated from one to the other', () => {
    const graph = graphOf(west, east);
    const network = createRoadNetwork(graph);
    expect(linksOf(graph)).toBeGreaterThanOrEqual(2);
    expect(linksOf(graph)).toBeLessThanOrEqual(6);
    expectExact(graph, network, somewhereIn(network, west.bounds!, east.bounds!), 30);
    const [a, b] = [network.snap({ lon: 10.004, lat: 50.004 })!, network.snap({ lon: 10.504, lat: 50.104 })!];
    const metres = greatCircleMetres(a, b) * 1.35;
    for (const travel of [network.travel(a, b)!, network.travel(b, a)!]) {
      expect(travel.estimated).toBe(true);
      expect(travel.metres).toBeGreaterThan(metres * 0.9);
      expect(travel.metres).toBeLessThan(metres * 1.1);
      expect(travel.milliseconds).toBeGreaterThan(outsideMilliseconds(metres) * 0.9);
      expect(travel.milliseconds).toBeLessThan(outsideMilliseconds(metres) * 1.1);
    }
    // The link is no street and has no pick-up place.
    const { streets } = network.route(a, b)!;
    expect(streets.map(({ name }) => name)).toContain('Street 2');
    expect(network.snap({ lon: 10.25, lat: 50.05 })).toMatchObject({ estimated: true });
  });

  test('answer within each as that town alone does', () => {
    const both = createRoadNetwork(graphOf(west, east));
    const alone = createRoadNetwork(graphOf(west));
    const place = samePlaces(both, alone, west.bounds!);
    fc.assert(
      fc.property(place, place, ([from, fromAlone], [to, toAlone]) => {
        expect(both.travel(from, to)).toEqual(alone.travel(fromAlone, toAlone));
      }),
    );
  });

  test('stay apart beyond 500 miles, and where one has no road out', () => {
    const far = gridTown({ southWest: { lon: 30, lat: 50 }, firstId: 2_000 });
    const closed = gridTown({ southWest: { lon: 10.5, lat: 50.1 }, firstId: 2_000, leaves: false });
    const [left, south, right, north] = closed.bounds!;
    closed.bounds = [left - 0.01, south - 0.01, right + 0.01, north + 0.01];
    for (const other of [far, closed]) {
      const graph = graphOf(west, other);
      const network = createRoadNetwork(graph);
      const [a, b] = [network.snap({ lon: 10.004, lat: 50.004 })!, network.snap(middleOf(other.bounds!))!];
      expect(b.estimated).toBe(false);
      expect(linksOf(graph)).toBe(0);
      expect(network.travel(a, b)).toBeNull();
      expect(network.route(a, b)).toBeNull();
      expect(network.travelFrom(a)(b)).toBeNull();
      expect(network.travelTo(b)(a)).toBeNull();
      expect(network.oneToMany(a, [b])).toEqual([null]);
      expect(network.manyToMany([a], [b])).toEqual([[null]]);
      expect(network.meet(network.label(a, 'from'), network.label(b, 'to'))).toBeNull();
    }
    expect(greatCircleMetres(middleOf(west.bounds!), middleOf(far.bounds!))).toBeGreaterThan(
      OUTSIDE_LIMIT_METRES,
    );
  });
});

describe('several towns that no road joins', () => {
  test('between them is outside of both', () => {
    const network = createRoadNetwork(graphOf(west, east));
    const between = network.snap({ lon: 10.2, lat: 50.05 })!;
    expect(between.estimated).toBe(true);
    for (const town of [west, east]) {
      const inTown = network.snap(middleOf(town.bounds!))!;
      expect(network.travel(inTown, between)).toMatchObject({ estimated: true });
      expect(network.travel(between, inTown)).toMatchObject({ estimated: true });
    }
    expect(network.bounds).toEqual([west.bounds![0], west.bounds![1], east.bounds![2], east.bounds![3]]);
  });

  test('three are joined pair by pair', () => {
    const third = gridTown({ southWest: { lon: 10.2, lat: 50.4 }, firstId: 3_000 });
    const graph = graphOf(west, east, third);
    const network = createRoadNetwork(graph);
    expectExact(graph, network, somewhereIn(network, west.bounds!, east.bounds!, third.bounds!), 15);
    expect(linksOf(graph)).toBeLessThanOrEqual(18);
  });

  test('each keeps to its own side of the road', () => {
    const inBoth = (drivesOnLeft: boolean) =>
      createRoadNetwork(completeGraph(buildSharedGraph([packOf(west), packOf(east, drivesOnLeft)])));
    const turns = (network: RoadNetwork, { lon, lat }: LonLat) => {
      const from = network.snap({ lon: lon + 0.001, lat: lat + 0.002 })!;
      const north = network.snap({ lon: lon + 0.002, lat: lat + 0.003 })!;
      return network.travel(from, north)!.milliseconds;
    };
    const [right, left] = [inBoth(false), inBoth(true)];
    expect(turns(left, { lon: 10.5, lat: 50.1 })).toBeLessThan(turns(right, { lon: 10.5, lat: 50.1 }));
    expect(turns(left, { lon: 10, lat: 50 })).toBe(turns(right, { lon: 10, lat: 50 }));
  });
});

describe('Santa Cruz and a town near Salinas', () => {
  const salinas = gridTown({ southWest: NEAR_SALINAS, firstId: 9e12 });
  let data: RoadData;
  let graph: RoadGraph;
  let network: RoadNetwork;

  beforeAll(async () => {
    data = await readRoadData(PBF_FILE);
    graph = graphOf(data, salinas);
    network = createRoadNetwork(graph);
  });

  test('answer as textbook Dijkstra does', () => {
    expectExact(graph, network, somewhereIn(network, data.bounds!, salinas.bounds!), 12);
    expect(linksOf(graph)).toBeLessThan(12);
  }, 120_000);

  test('drives within Santa Cruz are as without the other', () => {
    const alone = createRoadNetwork(graphOf(data));
    const place = samePlaces(network, alone, data.bounds!);
    fc.assert(
      fc.property(place, place, ([from, fromAlone], [to, toAlone]) => {
        expect(network.travel(from, to)).toEqual(alone.travel(fromAlone, toAlone));
      }),
      { numRuns: 60 },
    );
  });
});

describe('extracts that overlap', () => {
  const BORDER_LON = -122.02;
  let whole: RoadData;

  beforeAll(async () => {
    whole = await readRoadData(PBF_FILE);
  });

  /**
   * The extract on one side of a line, with each way across the line in full or only its part on that side.
   */
  const side = (isHere: (at: LonLat) => boolean, bounds: Bounds, wholeWays: boolean): RoadData => {
    const here = new Set(whole.nodes.filter((node) => isHere(node)).map(({ id }) => id));
    const ways = whole.ways.flatMap((way) => {
      if (!way.refs.some((ref) => here.has(ref))) return [];
      return wholeWays ? [way] : [{ ...way, refs: way.refs.filter((ref) => here.has(ref)) }];
    });
    const needed = new Set(ways.flatMap(({ refs }) => refs));
    return {
      nodes: whole.nodes.filter(({ id }) => needed.has(id)),
      ways,
      restrictions: whole.restrictions,
      bounds,
    };
  };

  test.each([
    ['ways kept whole', true, 0],
    ['ways cut on either side of a strip that both have', false, 0.005],
  ])('are what one extract of both would be: %s', (_, wholeWays, overlap) => {
    const [west, south, east, north] = whole.bounds!;
    const graph = graphOf(
      side(({ lon }) => lon <= BORDER_LON + overlap, [west, south, BORDER_LON + overlap, north], wholeWays),
      side(({ lon }) => lon >= BORDER_LON - overlap, [BORDER_LON - overlap, south, east, north], wholeWays),
    );
    const plain = completeGraph(buildRoadGraph(whole));
    const [network, one] = [createRoadNetwork(graph), createRoadNetwork(plain)];
    expect(linksOf(graph)).toBe(0);
    expect(network.bounds).toEqual(one.bounds);
    expect(network.edgeCount).toBe(one.edgeCount);
    expect(network.nodeCount).toBe(one.nodeCount);
    const place = samePlaces(network, one, whole.bounds!);
    fc.assert(
      fc.property(place, place, ([from, fromOne], [to, toOne]) => {
        const travel = network.travel(from, to);
        expect(travel).toEqual(one.travel(fromOne, toOne));
        expect(travel!.estimated).toBe(false);
      }),
      { numRuns: 60 },
    );
    const gateways = (edges: Uint32Array) => edges.length;
    expect(gateways(graph.exitEdges)).toBe(gateways(plain.exitEdges));
    expect(withinBounds({ lon: BORDER_LON, lat: south }, network.bounds)).toBe(true);
  });
});

test('the cache is of all extracts and their sides of the road', async () => {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'roads-'));
  const extractFolder = await mkdtemp(join(tmpdir(), 'roads-extract-'));
  const pbfFile = join(extractFolder, 'town.osm.pbf');
  await writePbf(pbfFile, [...west.nodes, ...west.ways], west.bounds!);
  const load = async (...countries: string[]) => {
    const steps: string[] = [];
    const [first, ...more] = countries.map((country) => ({ pbfFile, country }));
    await loadRoadNetwork({ ...first!, more, cacheFolder, onProgress: (step) => steps.push(step) });
    return steps.includes('building graph');
  };
  try {
    expect([await load('US', 'US'), await load('US', 'US')]).toEqual([true, false]);
    expect([await load('US'), await load('US', 'GB'), await load('US', 'GB')]).toEqual([true, true, false]);
    expect(await readdir(cacheFolder)).toHaveLength(3);
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
    await rm(extractFolder, { recursive: true, force: true });
  }
});

const middleOf = ([west, south, east, north]: Bounds): LonLat => ({
  lon: (west + east) / 2 + 0.001,
  lat: (south + north) / 2 + 0.001,
});
