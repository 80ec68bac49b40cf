import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRoadData, type RoadData } from '../../roads/build/extract.ts';
import { insidePolygon, withinBounds, type Bounds, type LonLat } from '../../roads/graph/geometry.ts';
import { loadRoadNetwork } from '../../roads/graph/load.ts';
import type { RoadNetwork } from '../../roads/graph/network.ts';
import type { OsmNode, OsmRelation, OsmWay } from '../../roads/build/osm.ts';
import { readPlaces } from '../../roads/places/places.ts';
import { gridTown } from '../../roads/testing/grid-town.ts';
import { writePbf } from '../../roads/build/write-pbf.ts';
import { readWalkWays } from '../../roads/walk/walk-extract.ts';
import { countryAt, nameOfFile, titleOfName } from './names.ts';
import { spellOutStreet } from './street-names.ts';
import { archiveIn, tileAt } from './tiles/read-archive.ts';
import { parseRegionDescription } from '../../roads/places/region-description.ts';

const run = promisify(execFile);
const PBF_FILE = 'regions/santa-cruz/roads.osm.pbf';
let out: string;
/** For extracts that tests write. */
let written: string;

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'region-'));
  written = await mkdtemp(join(tmpdir(), 'extract-'));
});
afterEach(async () => {
  for (const folder of [out, written]) await rm(folder, { recursive: true, force: true });
});

const region = (...options: string[]) =>
  run(process.execPath, ['scripts/region.ts', '--name', 'here', '--out', out, ...options]);

test.each([
  ['E Cliff Dr', 'East Cliff Drive'],
  ['Pacific Ave', 'Pacific Avenue'],
  ['St Andrews Dr', 'St Andrews Drive'],
  ['State Hwy 17', 'State Highway 17'],
  ['38th Ave N', '38th Avenue North'],
  ['Broadway', 'Broadway'],
])('%s is %s', (abbreviated, spelled) => {
  expect(spellOutStreet(abbreviated)).toBe(spelled);
});

test('an extract alone makes a pack with streets and places; of the extract it has what the road and walking networks read', async () => {
  await region('--pbf', PBF_FILE);
  expect(await readdir(out)).toEqual(['here']);
  expect(await describePack()).toMatchObject({
    name: 'here',
    timeZone: 'America/Los_Angeles',
    country: 'US',
    title: 'Here',
    hasMap: true,
    hasLand: false,
  });
  const kinds = new Set<string>();
  for await (const { kind } of readPlaces(join(out, 'here/places.ndjson.gz'))) kinds.add(kind);
  expect(kinds).toEqual(new Set(['place', 'street']));
  const packed = join(out, 'here/roads.osm.pbf');
  expect(await readRoadData(packed)).toEqual(await readRoadData(PBF_FILE));
  expect(await readWalkWays([packed])).toEqual(await readWalkWays([PBF_FILE]));
  expect((await stat(packed)).size).toBeLessThan(0.75 * (await stat(PBF_FILE)).size);
});

test('the name comes from the file, and the map is left alone where one is given', async () => {
  await run(process.execPath, [
    'scripts/region.ts',
    '--out',
    out,
    '--pbf',
    PBF_FILE,
    '--tiles',
    'package.json',
  ]);
  expect(await readdir(out)).toEqual(['roads']);
  expect(await readFile(join(out, 'roads/map.pmtiles'), 'utf8')).toBe(await readFile('package.json', 'utf8'));
});

test.each([
  ['https://example.org/europe/Île-de-France-latest.osm.pbf?x=1', 'ile-de-france', 'Ile De France'],
  ['/maps/central-pa.osm.pbf', 'central-pa', 'Central Pa'],
  ['porto_portugal-240101.pbf', 'porto-portugal', 'Porto Portugal'],
])('%s is called %s', (file, name, title) => {
  expect(nameOfFile(file)).toBe(name);
  expect(titleOfName(name)).toBe(title);
});

test.each<[string, readonly [number, number], string, string]>([
  ['Porto', [-8.61, 41.15], 'Europe/Lisbon', 'PT'],
  ['Leeds', [-1.55, 53.8], 'Europe/London', 'GB'],
  ['Kyoto', [135.77, 35.01], 'Asia/Tokyo', 'JP'],
  ['nowhere', [0, 0], 'No/Where', ''],
])('the country of %s', async (_, at, timeZone, country) => {
  expect(await countryAt(at, timeZone)).toBe(country);
});

test('a failure says why and leaves the former pack as it was', async () => {
  await mkdir(join(out, 'here'));
  await writeFile(join(out, 'here/region.json'), 'former');
  await expect(region('--pbf', 'no-such-file.osm.pbf')).rejects.toThrow(/no-such-file.osm.pbf: no such file/);
  await expect(region('--pbf', PBF_FILE, '--tiger', 'package.json')).rejects.toThrow(/region: /);
  await expect(region()).rejects.toThrow(/--pbf FILE-OR-URL is missing/);
  expect(await readdir(out)).toEqual(['here']);
  expect(await readFile(join(out, 'here/region.json'), 'utf8')).toBe('former');
});

/** A written extract of a small town at a place, with more or other elements. */
async function writeTown(
  southWest: LonLat,
  change: (town: RoadData) => readonly (OsmNode | OsmWay | OsmRelation)[],
): Promise<string> {
  const file = join(written, 'town.osm.pbf');
  const town = gridTown({ southWest, firstId: 1_000 });
  const elements = change(town);
  await writePbf(file, elements, town.bounds!);
  return file;
}

const describePack = async () =>
  parseRegionDescription(await readFile(join(out, 'here/region.json'), 'utf8'));

/** Everything the command says to a failure, one line; nothing of a pack may be left. */
async function refusal(pbf: string): Promise<string[]> {
  const failure = await region('--pbf', pbf).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
  expect(await readdir(out)).toEqual([]);
  return failure.split('\n').filter((line) => line.startsWith('region: '));
}

describe('an extract with a coast', () => {
  const ILHAVO = { lon: -8.66, lat: 40.6 };
  const WIDE: Bounds = [-9.66, 40.1, -8.6, 40.7];
  /** The town by the sea: its extract reaches far out, the coast runs from north to south just west of it. */
  const coastal = (lats: readonly number[]) => (town: RoadData) => {
    town.bounds = WIDE;
    const shore = lats.map((lat, i): OsmNode => ({ type: 'node', id: 9_000 + i, lon: -8.67, lat }));
    const coast: OsmWay = {
      type: 'way',
      id: 9_000,
      refs: shore.map(({ id }) => id),
      tags: { natural: 'coastline' },
    };
    return [...town.nodes, ...shore, ...town.ways, coast];
  };
  const isSea = async (lon: number, lat: number, z: number) => {
    const map = archiveIn(join(out, 'here/map.pmtiles'));
    const tile = await map.getZxy(...tileAt(lon, lat, z));
    return tile !== undefined && 'water' in new VectorTile(new PbfReader(new Uint8Array(tile.data))).layers;
  };

  test('has the sea on its map and knows dry land', async () => {
    await region('--pbf', await writeTown(ILHAVO, coastal([40.75, 40.65, 40.3, 40.05])));
    expect(await describePack()).toMatchObject({ hasLand: true, hasSea: true, country: 'PT' });
    for (const z of [4, 9, 10, 11, 14]) expect(await isSea(-9.2, 40.4, z)).toBe(true);
    for (const z of [13, 14]) expect(await isSea(-8.62, 40.4, z)).toBe(false);
    expect(await isSea(-9.2, 40.9, 12)).toBe(false);
    const multiPolygon = z.array(z.array(z.array(z.array(z.number()))));
    const land = z
      .object({ geometry: z.object({ coordinates: multiPolygon }) })
      .parse(JSON.parse(await readFile(join(out, 'here/land.geojson'), 'utf8')));
    const holds = (lon: number, lat: number) =>
      land.geometry.coordinates.some((rings) => insidePolygon({ lon, lat }, rings));
    expect([holds(-8.62, 40.4), holds(-8.7, 40.4)]).toEqual([true, false]);
    expect(await readFile(join(out, 'here/LICENSE.md'), 'utf8')).toContain('land.geojson, the places');
    // The open sea is one tile for many: the map of the town does not grow with the ocean around it.
    expect((await stat(join(out, 'here/map.pmtiles'))).size).toBeLessThan(100_000);
  });

  test('that breaks off in the midst has no sea, and it is said', async () => {
    const { stderr } = await region('--pbf', await writeTown(ILHAVO, coastal([40.75, 40.65, 40.4])));
    expect(stderr).toMatch(/The coast in the extract neither closes nor reaches its border/);
    expect(await describePack()).toMatchObject({ hasLand: false });
    expect(await describePack()).not.toHaveProperty('hasSea');
    expect(await isSea(-9.2, 40.4, 10)).toBe(false);
    expect(await readdir(join(out, 'here'))).not.toContain('land.geojson');
  });

  test('gives way to dry land drawn by hand', async () => {
    const land = 'regions/santa-cruz/land.geojson';
    await region('--pbf', await writeTown(ILHAVO, coastal([40.75, 40.05])), '--land', land);
    expect(await describePack()).toMatchObject({ hasLand: true });
    expect(await describePack()).not.toHaveProperty('hasSea');
    expect(await readFile(join(out, 'here/land.geojson'), 'utf8')).toBe(await readFile(land, 'utf8'));
    expect(await isSea(-9.2, 40.4, 10)).toBe(false);
  });
});

describe('an extract of unusual content', () => {
  const LEEDS = { lon: -1.55, lat: 53.8 };

  test('roads without names, and nothing else, make a pack', async () => {
    const pbf = await writeTown(LEEDS, ({ nodes, ways }) => [
      ...nodes,
      ...ways.map((way) => ({ ...way, tags: { highway: way.tags!.highway! } })),
    ]);
    const { stdout } = await region('--pbf', pbf);
    expect(stdout).toMatch(/"roads":\d+,"mapTiles":\d+}/);
    const { country, timeZone, center, bounds, placesCount } = await describePack();
    // Traffic keeps left here.
    expect({ country, timeZone, placesCount }).toEqual({
      country: 'GB',
      timeZone: 'Europe/London',
      placesCount: 0,
    });
    expect(withinBounds({ lon: center[0], lat: center[1] }, bounds)).toBe(true);
    const left = await loadRoadNetwork({
      pbfFile: join(out, 'here/roads.osm.pbf'),
      cacheFolder: out,
      country,
    });
    const right = await loadRoadNetwork({ pbfFile: join(out, 'here/roads.osm.pbf'), cacheFolder: out });
    const [from, to] = [
      { lon: LEEDS.lon + 0.001, lat: LEEDS.lat + 0.002 },
      { lon: LEEDS.lon + 0.002, lat: LEEDS.lat + 0.003 },
    ];
    const time = (network: RoadNetwork) =>
      network.travel(network.snap(from)!, network.snap(to)!)!.milliseconds;
    expect(time(left)).toBeLessThan(time(right));
  });

  test.each<[string, (town: RoadData) => readonly (OsmNode | OsmWay | OsmRelation)[], RegExp]>([
    [
      'no road',
      ({ nodes, ways }) => [...nodes, ...ways.map((way) => ({ ...way, tags: { building: 'yes' } }))],
      /makes no road network: the extract holds no road that a car may use\.$/,
    ],
    [
      'relations alone',
      () => [{ type: 'relation', id: 1, members: [], tags: { type: 'multipolygon' } }],
      /holds no ways, so there is nothing to build from\.$/,
    ],
    ['nodes alone', ({ nodes }) => nodes, /holds no ways, so there is nothing to build from\.$/],
    ['ways alone', ({ ways }) => ways, /holds ways without their nodes, so nobody knows where they are\.$/],
    [
      'ways before nodes',
      ({ nodes, ways }) => [...ways, ...nodes],
      /is not in the usual order \(nodes, ways, relations\); "osmium sort" puts it right\.$/,
    ],
  ])('%s is refused in one sentence', async (_, change, sentence) => {
    expect(await refusal(await writeTown(LEEDS, change))).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('an extract with a wider one around it', () => {
  const LEEDS = { lon: -1.55, lat: 53.8 };
  const AROUND: Bounds = [-1.555, 53.6, -1.3, 54];
  /** A village and its roads to the east of the town, as far away as half of its width. */
  const beyond = ({ bounds }: RoadData): { nodes: OsmNode[]; ways: OsmWay[] } => {
    const [west, south, east, north] = bounds!;
    const [lon, lat] = [east + (east - west) / 2, (south + north) / 2];
    const nodes = [-0.001, 0, 0.001].map((step, i): OsmNode => ({
      type: 'node',
      id: 9_000 + i,
      lon: lon + step,
      lat,
      ...(i === 1 && { tags: { place: 'village', name: 'Garforth' } }),
    }));
    const way = (id: number, highway: string, name: string): OsmWay => ({
      type: 'way',
      id,
      refs: nodes.map((node) => node.id),
      tags: { highway, name },
    });
    return { nodes, ways: [way(9_000, 'motorway', 'Far Motorway'), way(9_001, 'residential', 'Far Lane')] };
  };
  let town: RoadData;
  let small: string;
  const wide = async () => {
    const file = join(written, 'wide.osm.pbf');
    const { nodes, ways } = beyond(town);
    await writePbf(file, [...town.nodes, ...nodes, ...town.ways, ...ways], AROUND);
    return file;
  };

  beforeEach(async () => {
    small = await writeTown(LEEDS, (made) => {
      town = made;
      return [...made.nodes, ...made.ways];
    });
  });

  test('has the towns and the main roads beyond it on its map, and routes as before', async () => {
    await region('--pbf', small, '--around', await wide());
    const { bounds, mapBounds = bounds } = await describePack();
    expect(mapBounds[2]).toBeGreaterThan(bounds[2] + (bounds[2] - bounds[0]) / 2);
    // The wider extract ends here.
    expect(mapBounds[0]).toBe(AROUND[0]);
    const [garforth] = beyond(town).nodes;
    const tile = await archiveIn(join(out, 'here/map.pmtiles')).getZxy(
      ...tileAt(garforth!.lon, garforth!.lat, 14),
    );
    const { roads, places } = new VectorTile(new PbfReader(new Uint8Array(tile!.data))).layers;
    const names = Array.from({ length: roads!.length }, (_, i) => roads!.feature(i).properties['name']);
    expect(places!.feature(0).properties['name']).toBe('Garforth');
    expect(names).toContain('Far Motorway');
    expect(names).not.toContain('Far Lane');
    expect(await readRoadData(join(out, 'here/roads.osm.pbf'))).toEqual(await readRoadData(small));
  });

  test('that does not hold it is refused', async () => {
    await expect(region('--pbf', await wide(), '--around', small)).rejects.toThrow(
      /does not hold all of the region/,
    );
    expect(await readdir(out)).toEqual([]);
  });
});

describe('an extract that is none', () => {
  const write = async (name: string, content: Uint8Array | string) => {
    const file = join(written, name);
    await writeFile(file, content);
    return file;
  };

  test('is refused in one sentence and leaves nothing', async () => {
    const whole = await readFile(PBF_FILE);
    const cut = await write('cut.osm.pbf', whole.subarray(0, whole.length - 1000));
    expect(await refusal(await write('empty.osm.pbf', ''))).toEqual([expect.stringMatching(/is empty\.$/)]);
    expect(await refusal('package.json')).toEqual([expect.stringMatching(/is not an OpenStreetMap extract/)]);
    expect(await refusal(cut)).toEqual([expect.stringMatching(/is damaged or incomplete/)]);
    const flipped = Buffer.from(whole);
    flipped.fill(0xff, 2_000, 2_400);
    expect(await refusal(await write('flipped.osm.pbf', flipped))).toEqual([
      expect.stringMatching(/is damaged or incomplete/),
    ]);
    // The header alone: an extract of the open sea.
    const block = whole.indexOf('OSMData') - 6;
    expect(await refusal(await write('sea.osm.pbf', whole.subarray(0, block)))).toEqual([
      expect.stringMatching(/holds no ways/),
    ]);
  });

  test('an address that does not answer, or with something else, is named', async () => {
    await serving(async (url) => {
      expect(await refusal(`${url}/none`)).toEqual([`region: ${url}/none answered 404, not with a file.`]);
      expect(await refusal(`${url}/nowhere-near`)).toEqual([
        `region: ${url}/nowhere-near answered 404, not with a file.`,
      ]);
      expect(await refusal(`${url}/page`)).toEqual([
        `region: ${url}/page is not an OpenStreetMap extract (.osm.pbf).`,
      ]);
      expect(await refusal(`${url}/nothing`)).toEqual([`region: ${url}/nothing is empty.`]);
      // Where the length is known it is missed; where it is not, the last piece never came. How much came
      // before that differs from run to run.
      for (const path of ['cut', 'cut-in-pieces'])
        expect(await refusal(`${url}/${path}`)).toEqual([
          expect.stringMatching(/broke off after 0\.\d MB \(.+\)\.$/),
        ]);
      expect(await refusal(`${url}/circle`)).toEqual([
        expect.stringMatching(/cannot be reached \(.*redirect/),
      ]);
    });
    expect(await refusal('http://127.0.0.1:9/gone')).toEqual([expect.stringMatching(/cannot be reached \(/)]);
    expect(await refusal('http://no-such-host.invalid/x.osm.pbf')).toEqual([
      expect.stringMatching(/cannot be reached \(/),
    ]);
  });
});

/** A server of extracts, good and bad. */
async function serving(work: (url: string) => Promise<void>): Promise<void> {
  const whole = await readFile(PBF_FILE);
  const half = whole.subarray(0, 300_000);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const redirects: Record<string, string> = {
      '/latest.osm.pbf': '/mirror/here-240101.osm.pbf',
      '/nowhere-near': '/none',
      '/circle': '/circle',
    };
    if (redirects[path]) return response.writeHead(302, { location: redirects[path] }).end();
    if (path === '/mirror/here-240101.osm.pbf') {
      response.writeHead(200, { 'content-length': whole.length });
      response.write(half);
      return setTimeout(() => response.end(whole.subarray(half.length)), 2_500);
    }
    if (path === '/page') return response.end('<html>Not here</html>');
    if (path === '/nothing') return response.end();
    if (path === '/cut' || path === '/cut-in-pieces') {
      response.writeHead(200, path === '/cut' ? { 'content-length': whole.length } : {});
      return response.write(half, () => setTimeout(() => response.destroy(), 200));
    }
    return response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    await once(server, 'close');
  }
}

test('an extract is fetched from an address, past a redirect, and named after it; a slow download says how far it is', async () => {
  await serving(async (url) => {
    const { stderr } = await run(process.execPath, [
      'scripts/region.ts',
      '--out',
      out,
      '--pbf',
      `${url}/latest.osm.pbf`,
    ]);
    expect(await readdir(out)).toEqual(['latest']);
    expect(await readdir(join(out, 'latest'))).not.toContain('whole.osm.pbf');
    expect(await readRoadData(join(out, 'latest/roads.osm.pbf'))).toEqual(await readRoadData(PBF_FILE));
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +\d+\.\d s {2}Downloading http:.*latest\.osm\.pbf …$/);
    for (const line of lines) expect(line).toMatch(/^ +\d+\.\d s {2}\S.*[.…%]$/);
    expect(stderr).toMatch(/0\.\d MB of 0\.6 MB …/);
  });
});

test('a campus is more important than its departments, and goes by its other names', async () => {
  const pbf = await writeTown({ lon: -77.86, lat: 40.79 }, (town) => {
    const { lon, lat } = town.nodes[0]!;
    const corners = [
      [0, 0],
      [0.006, 0],
      [0.006, 0.006],
      [0, 0.006],
    ].map(([east = 0, north = 0], corner) => ({
      type: 'node' as const,
      id: 5_000 + corner,
      lon: lon + east,
      lat: lat + north,
    }));
    const department = {
      type: 'node' as const,
      id: 5_010,
      lon: lon + 0.003,
      lat: lat + 0.003,
      tags: { amenity: 'university', name: 'Department of Physics' },
    };
    const campus = {
      type: 'way' as const,
      id: 9_000,
      refs: [5_000, 5_001, 5_002, 5_003, 5_000],
      tags: { amenity: 'university', name: 'Grid University', short_name: 'GU', wikidata: 'Q1' },
    };
    return [...town.nodes, ...corners, department, ...town.ways, campus];
  });
  await region('--pbf', pbf);
  const found = new Map<string, { importance: number; otherNames?: string[] }>();
  for await (const place of readPlaces(join(out, 'here/places.ndjson.gz'))) found.set(place.name, place);
  expect(found.get('Grid University')).toMatchObject({ otherNames: ['GU'] });
  expect(found.get('Grid University')!.importance).toBeGreaterThan(0.75);
  expect(found.get('Department of Physics')!.importance).toBe(0.3);
});
