import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { greatCircleMetres, type LonLat } from '../graph/geometry.ts';
import { createRoadNetwork } from '../graph/graph-network.ts';
import { COORDINATE_DEGREES, round7, type RoadGraph } from '../graph/graph.ts';
import { loadRoadGraph } from '../graph/load.ts';
import type { RoadNetwork } from '../graph/network.ts';
import type { OsmNode, OsmWay } from '../build/osm.ts';
import { readOsm } from '../build/osm.ts';
import { textbookWalk } from '../testing/textbook-walk.ts';
import { buildWalkGraph } from './walk-build.ts';
import { walkWaysOf } from './walk-extract.ts';
import type { WalkGraph } from './walk-graph.ts';
import { loadWalkGraph, loadWalkNetwork } from './walk-load.ts';
import { createWalkNetwork, type WalkNetwork } from './walk-network.ts';

const PBF_FILE = 'regions/santa-cruz/roads.osm.pbf';
const PACIFIC_AVENUE = { lon: -122.0263, lat: 36.9741 };

let cacheFolder: string;
let roads: RoadGraph;
let network: RoadNetwork;
let graph: WalkGraph;
let walks: WalkNetwork;

beforeAll(async () => {
  cacheFolder = await mkdtemp(join(tmpdir(), 'walks-'));
  roads = await loadRoadGraph({ pbfFile: PBF_FILE, cacheFolder, country: 'US' });
  network = createRoadNetwork(roads);
  graph = await loadWalkGraph({ pbfFiles: [PBF_FILE], roads, cacheFolder });
  walks = createWalkNetwork(graph);
});
afterAll(() => rm(cacheFolder, { recursive: true, force: true }));

const stopAt = (stop: number): LonLat => ({
  lon: round7(graph.stopPoints[2 * stop]! * COORDINATE_DEGREES),
  lat: round7(graph.stopPoints[2 * stop + 1]! * COORDINATE_DEGREES),
});
const offset = fc.double({ min: -0.002, max: 0.002, noNaN: true });
/** A random place near a road of the region. */
const place = fc.tuple(fc.nat(), offset, offset).map(([n, lon, lat]) => {
  const stop = stopAt(n % graph.stopRank.length);
  return { lon: stop.lon + lon, lat: stop.lat + lat };
});
const limit = fc.integer({ min: 0, max: 1500 });

describe('in Santa Cruz', () => {
  test('every place where a car may stop is a road point that gives itself back, clear of junctions', () => {
    const ends = new Map<string, number>();
    for (let s = 0; s < roads.shapeStart.length - 1; s++) {
      for (const i of [roads.shapeStart[s]!, roads.shapeStart[s + 1]! - 1]) {
        const key = `${roads.shapePoints[2 * i]},${roads.shapePoints[2 * i + 1]}`;
        ends.set(key, (ends.get(key) ?? 0) + 1);
      }
    }
    expect(graph.stopRank.length).toBeGreaterThan(15_000);
    for (let stop = 0; stop < graph.stopRank.length; stop++) {
      const at = stopAt(stop);
      const point = network.snap(at)!;
      expect({ lon: point.lon, lat: point.lat }).toEqual(at);
      expect(point.metresFromRoad).toBeLessThan(0.05);
      for (const { edge, fraction } of point.arrivals) {
        const metres = roads.edgeDecimetres[edge]! / 10;
        expect(Math.min(fraction, 1 - fraction) * metres).toBeGreaterThan(9);
      }
    }
  });

  test('walks are as long as those of a textbook Dijkstra', () => {
    fc.assert(
      fc.property(place, limit, fc.array(place, { maxLength: 3 }), (from, metres, others) => {
        const textbook = textbookWalk(graph, from);
        const within = Array.from(graph.stopRank.keys()).flatMap((stop) => {
          const decimetres = textbook.toStop(stop);
          return decimetres <= metres * 10
            ? [{ ...stopAt(stop), walkMetres: Math.ceil(decimetres / 10) }]
            : [];
        });
        const key = (at: LonLat & { walkMetres: number }) => `${at.lon} ${at.lat} ${at.walkMetres}`;
        expect(walks.reach(from, metres).map(key).toSorted()).toEqual(within.map(key).toSorted());
        for (const to of others) {
          const decimetres = textbook.toPlace(to);
          expect(walks.line(from, to)?.metres ?? null).toBe(
            decimetres > 100_000 ? null : Math.ceil(decimetres / 10),
          );
        }
      }),
      { numRuns: 40, seed: 3, endOnFailure: true },
    );
  });

  test('the line of a walk is one unbroken line as long as it says', () => {
    fc.assert(
      fc.property(place, place, (from, to) => {
        const walk = walks.line(from, to);
        if (!walk) return;
        expect(walk.line[0]).toEqual([from.lon, from.lat]);
        expect(walk.line.at(-1)).toEqual([to.lon, to.lat]);
        const drawn = walk.line
          .map(([lon, lat]) => ({ lon, lat }))
          .reduce((sum, vertex, i, all) => sum + greatCircleMetres(all[Math.max(0, i - 1)]!, vertex), 0);
        expect(Math.abs(drawn - walk.metres)).toBeLessThan(3 + walk.metres / 500);
      }),
      { numRuns: 300, seed: 4 },
    );
  });
});

describe('meeting points in Santa Cruz', () => {
  test('meeting points are within the walk, as many as asked for, each with the walk that leads to it', () => {
    fc.assert(
      fc.property(place, limit, fc.integer({ min: 1, max: 10 }), (at, metres, most) => {
        const chosen = walks.meetingPoints(at, metres, most);
        const reached = walks.reach(at, metres);
        const elsewhere = reached.filter((point) => greatCircleMetres(at, point) > 0);
        expect(chosen).toHaveLength(Math.min(most, elsewhere.length));
        expect(reached).toEqual(expect.arrayContaining(chosen));
        expect(new Set(chosen.map(({ lon, lat }) => `${lon} ${lat}`)).size).toBe(chosen.length);
        for (const point of chosen) {
          expect(point.walkMetres).toBeLessThanOrEqual(metres);
          expect(walks.line(at, point)!.metres).toBe(point.walkMetres);
        }
        expect(walks.meetingPoints(at, metres, most)).toEqual(chosen);
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  test('the order in which the extract lists its ways changes nothing', async () => {
    const ways: OsmWay[] = [];
    const nodes: OsmNode[] = [];
    for await (const element of readOsm(PBF_FILE)) {
      if (element.type === 'way') ways.push(element);
      if (element.type === 'node') nodes.push(element);
    }
    const backwards = buildWalkGraph(walkWaysOf({ ways: ways.toReversed(), nodes }), roads);
    const other = createWalkNetwork(backwards);
    fc.assert(
      fc.property(place, limit, (at, metres) => {
        expect(other.meetingPoints(at, metres, 8)).toEqual(walks.meetingPoints(at, metres, 8));
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  test('another thread walks on the same memory', async () => {
    const script = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ createWalkNetwork }) => {
        const { graph, at } = workerData;
        parentPort.postMessage([graph.stopPoints.buffer, createWalkNetwork(graph).meetingPoints(at, 600, 8)]);
      });`;
    const module = new URL('walk-network.ts', import.meta.url).href;
    const worker = new Worker(script, { eval: true, workerData: { graph, module, at: PACIFIC_AVENUE } });
    const [[memory, points]] = (await once(worker, 'message')) as [[SharedArrayBuffer, unknown]];
    await worker.terminate();
    expect(points).toEqual(walks.meetingPoints(PACIFIC_AVENUE, 600, 8));
    expect(points).toHaveLength(8);
    // The first call writes the cache, the second reads it.
    new Uint8Array(memory)[0]! ^= 1;
    expect(new Uint8Array(graph.stopPoints.buffer)[0]).toBe(new Uint8Array(memory)[0]);
    new Uint8Array(memory)[0]! ^= 1;
  });
});

describe('the cache', () => {
  const flip = (bytes: Buffer, at: number) => {
    bytes[at]! ^= 1;
    return bytes;
  };
  const cacheFiles = async () => (await readdir(cacheFolder)).filter((name) => name.endsWith('.walks'));
  /** Loads, and returns whether the network had to be built. */
  const load = async (pbfFiles = [PBF_FILE], on = roads) => {
    const steps: string[] = [];
    const onProgress = (step: string) => steps.push(step);
    const loaded = await loadWalkNetwork({ pbfFiles, roads: on, cacheFolder, onProgress });
    return {
      built: steps.includes('building network'),
      points: loaded.meetingPoints(PACIFIC_AVENUE, 600, 8),
    };
  };

  test('is read at the second start, with the same answers', async () => {
    const { built, points } = await load();
    expect(built).toBe(false);
    expect(points).toEqual(createWalkNetwork(graph).meetingPoints(PACIFIC_AVENUE, 600, 8));
  });

  test.each([
    ['a flipped bit in the arrays', (bytes: Buffer) => flip(bytes, bytes.length - 20)],
    ['a flipped bit in the header', (bytes: Buffer) => flip(bytes, 40)],
    ['a cut file', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('with %s is built anew', async (_, damage) => {
    const [name] = await cacheFiles();
    const file = join(cacheFolder, name!);
    await writeFile(file, damage(await readFile(file)));
    expect(await load()).toEqual({ built: true, points: walks.meetingPoints(PACIFIC_AVENUE, 600, 8) });
    expect((await load()).built).toBe(false);
    expect(await cacheFiles()).toHaveLength(1);
  });

  test('of other roads or other extracts is another one', async () => {
    const edgeFlags = roads.edgeFlags.slice();
    edgeFlags.fill(0, 0, 100);
    expect((await load([PBF_FILE], { ...roads, edgeFlags })).built).toBe(true);
    const copy = join(cacheFolder, 'copy.osm.pbf');
    await copyFile(PBF_FILE, copy);
    const twice = await load([PBF_FILE, copy]);
    expect(twice).toEqual({ built: true, points: walks.meetingPoints(PACIFIC_AVENUE, 600, 8) });
    expect((await load()).built).toBe(false);
  });

  test('is not made of a missing extract', async () => {
    await expect(load(['regions/santa-cruz/no-such.osm.pbf'])).rejects.toThrow(/ENOENT/);
  });
});
