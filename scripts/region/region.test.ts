import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPlaces } from '../../roads/places.ts';
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
    hasMap: false,
    hasLand: false,
  });
  const kinds = new Set<string>();
  for await (const { kind } of readPlaces(join(out, 'here/places.ndjson.gz'))) kinds.add(kind);
  expect(kinds).toEqual(new Set(['place', 'street']));
});

test('a failure says why and leaves the former pack as it was', async () => {
  await mkdir(join(out, 'here'));
  await writeFile(join(out, 'here/region.json'), 'former');
  await expect(region('--pbf', 'no-such-file.osm.pbf')).rejects.toThrow(/no-such-file.osm.pbf: no such file/);
  await expect(region('--pbf', 'package.json')).rejects.toThrow(/region: /);
  await expect(region('--pbf', PBF_FILE, '--tiger', 'package.json')).rejects.toThrow(/region: /);
  await expect(region()).rejects.toThrow(/--pbf FILE-OR-URL is missing/);
  expect(await readdir(out)).toEqual(['here']);
  expect(await readFile(join(out, 'here/region.json'), 'utf8')).toBe('former');
});
