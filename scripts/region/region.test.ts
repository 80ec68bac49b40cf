import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPlaces } from '../../roads/places.ts';
import { countryAt, nameOfFile, titleOfName } from './naming.ts';
import { spellOutStreet } from './street-names.ts';

const run = promisify(execFile);
const PBF_FILE = 'regions/santa-cruz/roads.osm.pbf';
let out: string;

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'region-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

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

test('an extract alone makes a pack with streets and places', async () => {
  await region('--pbf', PBF_FILE);
  expect(await readdir(out)).toEqual(['here']);
  const description = JSON.parse(await readFile(join(out, 'here/region.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(description).toMatchObject({
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

describe('an extract that is none', () => {
  const written = async (name: string, content: Uint8Array | string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'extract-')), name);
    await writeFile(file, content);
    return file;
  };

  /** Everything the command says to a failure, one line. */
  const refusal = async (pbf: string) => {
    const failure = await region('--pbf', pbf).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
    expect(await readdir(out)).toEqual([]);
    return failure.split('\n').filter((line) => line.startsWith('region: '));
  };

  test('is refused in one sentence and leaves nothing', async () => {
    const whole = await readFile(PBF_FILE);
    const cut = await written('cut.osm.pbf', whole.subarray(0, whole.length - 1000));
    expect(await refusal(await written('empty.osm.pbf', ''))).toEqual([expect.stringMatching(/is empty\.$/)]);
    expect(await refusal('package.json')).toEqual([expect.stringMatching(/is not an OpenStreetMap extract/)]);
    expect(await refusal(cut)).toEqual([expect.stringMatching(/is damaged or incomplete/)]);
    const flipped = Buffer.from(whole);
    flipped.fill(0xff, 2_000, 2_400);
    expect(await refusal(await written('flipped.osm.pbf', flipped))).toEqual([
      expect.stringMatching(/is damaged or incomplete/),
    ]);
    // The header alone: an extract of the open sea.
    const block = whole.indexOf('OSMData') - 6;
    expect(await refusal(await written('sea.osm.pbf', whole.subarray(0, block)))).toEqual([
      expect.stringMatching(/holds no ways/),
    ]);
  });

  test('an address that does not answer, or with something else, is named', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/page') return response.end('<html>Not here</html>');
      if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100000' });
        return response.write('\0', () => response.destroy());
      }
      return response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    expect(await refusal(`${url}/none`)).toEqual([`region: ${url}/none answered 404, not with a file.`]);
    expect(await refusal(`${url}/page`)).toEqual([expect.stringMatching(/is not an OpenStreetMap extract/)]);
    expect(await refusal(`${url}/cut`)).toEqual([expect.stringMatching(/broke off/)]);
    server.close();
    await once(server, 'close');
    expect(await refusal(`${url}/gone`)).toEqual([expect.stringMatching(/cannot be reached \(.*REFUSED/)]);
  });
});
