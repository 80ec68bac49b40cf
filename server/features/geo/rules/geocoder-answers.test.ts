import { expect, test } from 'vitest';
import { isAirport } from '#contract/geo/airports.ts';
import { placesIn } from './geocoder-answers.ts';

const feature = (properties: Record<string, unknown>, coordinates: unknown = [-122.0263, 36.9741]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { osm_type: 'N', osm_id: 1, ...properties },
});
const photon = (...features: unknown[]) => placesIn('photon', { type: 'FeatureCollection', features });

test.each([
  [
    {
      type: 'house',
      osm_key: 'building',
      housenumber: '123',
      street: 'Pacific Avenue',
      city: 'Santa Cruz',
      postcode: '95060',
    },
    { kind: 'address', name: '123 Pacific Avenue', detail: 'Santa Cruz 95060' },
  ],
  [
    {
      type: 'street',
      osm_key: 'highway',
      osm_value: 'residential',
      name: 'Walnut Avenue',
      city: 'Santa Cruz',
    },
    { kind: 'street', name: 'Walnut Avenue', detail: 'Santa Cruz' },
  ],
  [
    { type: 'city', osm_key: 'place', osm_value: 'city', name: 'Santa Cruz', state: 'California' },
    { kind: 'town', name: 'Santa Cruz', detail: 'California' },
  ],
  [
    {
      type: 'house',
      osm_key: 'amenity',
      osm_value: 'cafe',
      name: '喫茶 ☕',
      housenumber: '5',
      street: 'Front Street',
      city: 'Santa Cruz',
    },
    { kind: 'place', name: '喫茶 ☕', detail: '5 Front Street, Santa Cruz', category: 'cafe' },
  ],
  [
    { type: 'house', osm_key: 'aeroway', osm_value: 'terminal', name: 'Terminal 3', city: 'San Francisco' },
    { kind: 'airport', name: 'Terminal 3', detail: 'Airport · San Francisco' },
  ],
])('Photon: %j', (properties, place) => expect(photon(feature(properties))).toMatchObject([place]));

test('an aerodrome and its terminals count as airport addresses', () => {
  const found = photon(
    feature({
      osm_key: 'aeroway',
      osm_value: 'aerodrome',
      name: 'San José Mineta International Airport',
      city: 'San Jose',
    }),
    feature({
      osm_key: 'aeroway',
      osm_value: 'aerodrome',
      name: 'Watsonville Municipal',
      city: 'Watsonville',
    }),
  )!;
  expect(found.map(isAirport)).toEqual([true, true]);
});

test('Nominatim: a list, one place, and none', () => {
  const place = {
    place_id: 1,
    osm_type: 'way',
    osm_id: 42,
    lat: '36.9741',
    lon: '-122.0263',
    category: 'building',
    type: 'yes',
    addresstype: 'building',
    name: '',
    address: { house_number: '123', road: 'Pacific Avenue', city: 'Santa Cruz', postcode: '95060' },
  };
  const wanted = {
    id: 'osm-W42',
    kind: 'address',
    name: '123 Pacific Avenue',
    detail: 'Santa Cruz 95060',
    lon: -122.0263,
    lat: 36.9741,
    category: 'yes',
  };
  expect(placesIn('nominatim', [place, place])).toEqual([wanted]);
  expect(placesIn('nominatim', place)).toEqual([wanted]);
  expect(placesIn('nominatim', { error: 'Unable to geocode' })).toEqual([]);
});

test.each([null, 7, 'x', {}, { features: 'x' }, { features: null }])('%j is no answer', (answer) => {
  expect(placesIn('photon', answer)).toBe(null);
  if (!Array.isArray(answer)) expect(placesIn('nominatim', answer)).toBe(null);
});

test('what makes no sense is left out, what is too long is cut, what is hidden is removed', () => {
  const found = photon(
    null,
    feature({ osm_key: 'shop', name: 'Nowhere' }, [400, 12]),
    feature({ osm_key: 'shop', name: 'Nowhere' }, ['x', null]),
    feature({ osm_key: 'shop' }),
    feature({ osm_key: 'shop', name: '\u202Egnp\u200B' }),
    feature({ osm_key: 'shop', name: 'long '.repeat(50_000), city: { deep: 1 } }),
    feature({ osm_key: 'shop', name: '<b>bold</b>' }),
  )!;
  expect(found.map(({ name }) => name.slice(0, 12))).toEqual(['gnp', 'long long lo', '<b>bold</b>']);
  expect(found[1]!.name.length).toBeLessThanOrEqual(200);
});
