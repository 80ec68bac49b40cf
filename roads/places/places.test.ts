import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addressPoint, rangeHolds } from './addresses.ts';
import { withinBounds } from '../graph/geometry.ts';
import { readPlaces, type Place } from './places.ts';
import { parseRegionDescription } from './region-description.ts';

const PACK = 'regions/santa-cruz';

async function allPlaces(file = `${PACK}/places.ndjson.gz`): Promise<Place[]> {
  const places: Place[] = [];
  for await (const place of readPlaces(file)) places.push(place);
  return places;
}

test('the pack is whole: unique ids, every place in reach and ranked, as many as region.json says', async () => {
  const region = parseRegionDescription(await readFile(`${PACK}/region.json`, 'utf8'));
  const places = await allPlaces();
  expect(places).toHaveLength(region.placesCount);
  expect(new Set(places.map(({ id }) => id)).size).toBe(places.length);
  const [west, south, east, north] = region.bounds;
  // A station that people of the region drive to may lie beyond it.
  const reach = (category?: string) => (category === 'station' ? 0.3 : 0.05);
  for (const place of places) {
    const far = reach(place.category);
    expect(withinBounds(place, [west - far, south - far, east + far, north + far]), place.id).toBe(true);
    expect(place.importance >= 0 && place.importance <= 1 && place.name.length > 0, place.id).toBe(true);
    if (place.kind !== 'town') expect(place.town, place.id).toBeTruthy();
  }
});

test('people find what they look for', async () => {
  const places = await allPlaces();
  const has = (kind: Place['kind'], name: string, town: string) =>
    places.some((place) => place.kind === kind && place.name === name && place.town === town);
  expect(places.some(({ kind, name }) => kind === 'town' && name === 'Scotts Valley')).toBe(true);
  expect(has('street', 'Pacific Avenue', 'Santa Cruz')).toBe(true);
  expect(has('street', 'Capitola Avenue', 'Capitola')).toBe(true);
  expect(has('place', 'Pacific Station', 'Santa Cruz')).toBe(true);
  expect(has('place', 'McHenry Library', 'Santa Cruz')).toBe(true);
});

test('809 Center Street, the city hall, is where the map has it', async () => {
  const places = await allPlaces();
  const hall = places.find(({ name }) => name === 'Santa Cruz City Hall')!;
  const range = places.find(
    ({ street, range }) => street === 'Center Street' && range && rangeHolds(range, 809),
  )!.range!;
  const point = addressPoint(range, 809)!;
  expect(Math.abs(point.lon - hall.lon)).toBeLessThan(0.0015);
  expect(Math.abs(point.lat - hall.lat)).toBeLessThan(0.0015);
});

test('a missing file is an error, not an empty pack', async () => {
  await expect(allPlaces(`${PACK}/none.gz`)).rejects.toThrow(/ENOENT/);
});
