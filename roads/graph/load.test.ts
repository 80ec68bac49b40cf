import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { gridTown } from '../testing/grid-town.ts';
import { writePbf } from '../build/write-pbf.ts';
import { loadRoadNetwork } from './load.ts';

const southWest = { lon: -121.65, lat: 36.67 };
let extractFolder: string;
let townFile: string;
let cacheFolder: string;

beforeAll(async () => {
  extractFolder = await mkdtemp(join(tmpdir(), 'roads-extract-'));
  townFile = join(extractFolder, 'town.osm.pbf');
  const { nodes, ways, bounds } = gridTown({ southWest, firstId: 1 });
  await writePbf(townFile, [...nodes, ...ways], bounds!);
});
afterAll(() => rm(extractFolder, { recursive: true, force: true }));
beforeEach(async () => {
  cacheFolder = await mkdtemp(join(tmpdir(), 'roads-'));
});
afterEach(() => rm(cacheFolder, { recursive: true, force: true }));

/** Loads, and returns whether the graph had to be built. */
async function load(pbfFile = townFile) {
  const steps: string[] = [];
  const network = await loadRoadNetwork({ pbfFile, cacheFolder, onProgress: (step) => steps.push(step) });
  const from = network.snap({ lon: southWest.lon + 0.001, lat: southWest.lat })!;
  const to = network.snap({ lon: southWest.lon + 0.008, lat: southWest.lat + 0.005 })!;
  return { built: steps.includes('building graph'), network, route: network.route(from, to) };
}

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}

const cacheFile = async () => join(cacheFolder, (await readdir(cacheFolder))[0]!);

/** The cache and the answers of the first start. */
let fresh: { name: string; bytes: Buffer; route: unknown };

test('the second start reads the cache and answers the same', async () => {
  const first = await load();
  const second = await load();
  expect([first.built, second.built]).toEqual([true, false]);
  expect(second.route).toEqual(first.route);
  expect(second.network.nodeCount).toBe(first.network.nodeCount);
  expect(second.network.bounds).toEqual(first.network.bounds);
  const [name, ...others] = await readdir(cacheFolder);
  expect(others).toEqual([]);
  fresh = { name: name!, bytes: await readFile(await cacheFile()), route: first.route };
});

test.each([
  ['a flipped bit in the arrays', (bytes: Buffer) => flip(bytes, bytes.length - 20)],
  ['a flipped bit in the header', (bytes: Buffer) => flip(bytes, 40)],
  ['a cut file', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['an empty file', () => Buffer.alloc(0)],
  ['another file', () => Buffer.from('not a cache at all, but long enough to look at')],
])('%s is built anew', async (_, damage) => {
  await writeFile(join(cacheFolder, fresh.name), damage(Buffer.from(fresh.bytes)));
  const loaded = await load();
  expect(loaded.built).toBe(true);
  expect(loaded.route).toEqual(fresh.route);
  expect((await load()).built).toBe(false);
});

test('a changed extract is built anew', async () => {
  const { nodes, ways, bounds } = gridTown({ southWest, firstId: 1 });
  const changing = join(extractFolder, 'changing.osm.pbf');
  await copyFile(townFile, changing);
  expect((await load(changing)).built).toBe(true);
  expect((await load(changing)).built).toBe(false);
  await writePbf(changing, [...nodes, ...ways.slice(1)], bounds!);
  expect((await load(changing)).built).toBe(true);
  expect((await load(changing)).built).toBe(false);
});

test('a cache of another extract under the same name is built anew', async () => {
  await load();
  const cached = await readFile(await cacheFile());
  const other = cached.toString('latin1').replace(/"source":"..../, '"source":"0000');
  await writeFile(await cacheFile(), other, 'latin1');
  expect((await load()).built).toBe(true);
});

test('a missing or foreign extract is an error', async () => {
  await expect(load(join(extractFolder, 'no-such.osm.pbf'))).rejects.toThrow(/ENOENT/);
  await expect(load('regions/santa-cruz/region.json')).rejects.toThrow();
  expect(await readdir(cacheFolder)).toEqual([]);
});
