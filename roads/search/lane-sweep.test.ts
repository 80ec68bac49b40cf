import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { buildRoadGraph } from '../build/build.ts';
import { readRoadData } from '../build/extract.ts';
import { createRoadNetwork } from '../graph/graph-network.ts';
import { completeGraph, type RoadGraph } from '../graph/graph.ts';
import type { RoadNetwork, RoadPoint } from '../graph/network.ts';
import { weightMilliseconds } from '../graph/weight.ts';
import { noWays, waysIntoCore } from './core-ways.ts';
import { apart, LaneSweep, leastOver, type Seed } from './lane-sweep.ts';
import { noTime, timeHierarchy, type TimeHierarchy } from './time-arcs.ts';
import { keptTimes } from './times-cache.ts';

let graph: RoadGraph;
let network: RoadNetwork;
let times: TimeHierarchy;
beforeAll(async () => {
  graph = completeGraph(buildRoadGraph(await readRoadData('regions/santa-cruz/roads.osm.pbf')));
  network = createRoadNetwork(graph);
  times = timeHierarchy(graph);
}, 120_000);

const seeds = (ends: readonly { edge: number; weight: number }[]): Seed[] =>
  ends.map(({ edge, weight }) => ({
    vertex: times.vertexOf[edge]!,
    milliseconds: weightMilliseconds(weight),
  }));

test('every arc of the hierarchy leads to a higher vertex, and each edge has a vertex of its own', () => {
  expect(new Set(times.vertexOf).size).toBe(graph.edgeCount);
  for (const { start, arcs } of [times.up, times.down]) {
    let wrong = 0;
    for (let vertex = 0; vertex < graph.edgeCount; vertex++)
      for (let arc = start[vertex]!; arc < start[vertex + 1]!; arc++) if (arcs[arc * 2]! <= vertex) wrong++;
    expect(wrong).toBe(0);
  }
});

/** The times of the lanes within over a point's ways into the core; null where a drive may take none. */
function timesOverWays(sweep: LaneSweep, towards: 'to' | 'from', ends: readonly Seed[], within: number) {
  const ways = Int32Array.from([0, ...waysIntoCore(times, towards, ends)]);
  if (!sweep.goesOver(ways, 1)) return null;
  const row = new Int32Array(within).fill(noTime);
  sweep.lowerByWays(ways, 1, row);
  return { row, least: sweep.leastOver(ways, 1) };
}

/** The least times over the ways of many points, found together. */
function leastTogether(sweep: LaneSweep, towards: 'to' | 'from', points: readonly RoadPoint[]) {
  const ways = points.map(({ arrivals, departures }) =>
    waysIntoCore(times, towards, seeds(towards === 'to' ? departures : arrivals)),
  );
  let filled = 0;
  const starts = Uint32Array.from(ways, ({ length }) => (filled += length) - length);
  const found = leastOver(points.length);
  sweep.leastOfAll(Int32Array.from(ways.flat()), { starts, count: points.length }, found);
  return found;
}

test('the times of many lanes, and the least of some, are those of the drives one by one', () => {
  let overWays = 0;
  const [west, south, east, north] = graph.bounds;
  const place = fc
    .record({
      lon: fc.double({ min: west, max: east, noNaN: true }),
      lat: fc.double({ min: south, max: north, noNaN: true }),
    })
    .map((at) => network.snap(at))
    .filter((point): point is RoadPoint => point !== null);
  const [to, from] = [new LaneSweep(times, 'to'), new LaneSweep(times, 'from')];
  const lanes = fc.array(place, { minLength: 1, maxLength: 9 });
  fc.assert(
    // The same two sweeps answer for all: what one question leaves must not reach the next.
    fc.property(lanes, fc.array(place, { minLength: 1, maxLength: 12 }), fc.nat(8), (points, others, cut) => {
      const within = Math.min(points.length, cut + 1);
      const shapeOf = ({ arrivals }: RoadPoint) => graph.edgeShape[arrivals[0]!.edge]! >> 1;
      to.start(
        points.map(({ arrivals }) => seeds(arrivals)),
        within,
      );
      from.start(
        points.map(({ departures }) => seeds(departures)),
        within,
      );
      // Of all at once, before any is asked for: the same as of each.
      const together = [leastTogether(to, 'to', others), leastTogether(from, 'from', others)];
      for (const [i, other] of others.entries()) {
        const [there, back] = [
          new Int32Array(points.length).fill(noTime),
          new Int32Array(points.length).fill(noTime),
        ];
        // Before the times of all lanes, which rows known for those within are then asked for.
        const overThere = timesOverWays(to, 'to', seeds(other.departures), within);
        const overBack = timesOverWays(from, 'from', seeds(other.arrivals), within);
        let [leastThere, leastBack] = [noTime, noTime];
        let [nearestThere, nearestBack] = [0, 0];
        for (const { vertex, milliseconds } of seeds(other.departures)) {
          const least = to.least(vertex) + milliseconds;
          if (least < leastThere) [leastThere, nearestThere] = [least, to.nearest(vertex)];
          to.lower(vertex, milliseconds, there);
        }
        for (const { vertex, milliseconds } of seeds(other.arrivals)) {
          const least = from.least(vertex) + milliseconds;
          if (least < leastBack) [leastBack, nearestBack] = [least, from.nearest(vertex)];
          from.lower(vertex, milliseconds, back);
        }
        // On one road the drive may pass no vertex: its caller asks for it apart.
        if (points.some((point) => shapeOf(point) === shapeOf(other))) continue;
        expect([...there]).toEqual(points.map((point) => network.travel(other, point)!.milliseconds));
        expect([...back]).toEqual(points.map((point) => network.travel(point, other)!.milliseconds));
        expect(leastThere).toBe(Math.min(...there.subarray(0, within)));
        expect(leastBack).toBe(Math.min(...back.subarray(0, within)));
        expect([nearestThere, nearestBack].every((lane) => lane < within)).toBe(true);
        expect([there[nearestThere], back[nearestBack]]).toEqual([leastThere, leastBack]);
        for (const [over, row, found] of [
          [overThere, there.slice(0, within), together[0]!],
          [overBack, back.slice(0, within), together[1]!],
        ] as const) {
          expect(found.ms[i]).toBe(over?.least ?? apart);
          if (over === null) continue;
          expect(over).toEqual({ row, least: Math.min(...row) });
          expect(row[found.lanes[i]!]).toBe(over.least);
          overWays++;
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(overWays).toBeGreaterThan(500);
});

test('a point beyond the roads, or with many ends, has no ways into the core', () => {
  const many = Array.from({ length: 3 }, (_, vertex) => ({ vertex, milliseconds: 1 }));
  for (const ends of [[], many]) {
    const ways = waysIntoCore(times, 'to', ends);
    expect(ways[0]).toBe(noWays);
    expect(new LaneSweep(times, 'to').goesOver(Int32Array.from(ways), 0)).toBe(false);
  }
});

test('the times that a file keeps are those derived from the graph; a damaged file is written anew', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sameway-times-'));
  try {
    const file = path.join(folder, 'roads.times');
    expect(await keptTimes(graph, file)).toEqual(times);
    expect(await keptTimes(graph, file)).toEqual(times);
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
    expect(await keptTimes(graph, file)).toEqual(times);
    expect((await readFile(file)).equals(bytes)).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});
