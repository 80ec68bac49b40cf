import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reversePlace, searchPlaces } from '#contract/geo/endpoints.ts';
import { readEnv } from '../../platform/env.ts';
import { minuteMs } from '../../platform/clock.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { importPlaces } from './import-places.ts';

/** A fake geocoder that answers as the test says. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: URL[] = [];
let server: Server;
let app: TestApp;
let nominatimApp: TestApp;

const say = (body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(new URL(request.url!, 'http://localhost'));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  app = await openTestApp({ env: { GEOCODER_URL: `http://127.0.0.1:${port}/geo/api` } });
  await importPlaces(app.platform);
  nominatimApp = await openTestApp({ env: { GEOCODER_URL: `http://127.0.0.1:${port}/search` } });
  await importPlaces(nominatimApp.platform);
});
afterAll(async () => {
  await app.close();
  await nominatimApp.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  for (const each of [app, nominatimApp]) each.clock.advance(10 * minuteMs);
});

const cafe = {
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [-122.026, 36.974] },
  properties: {
    osm_type: 'N',
    osm_id: 5,
    osm_key: 'amenity',
    osm_value: 'cafe',
    name: 'Hosted Café',
    city: 'Santa Cruz',
  },
};
const search = async (text: string, at = app) => (await at.ok(null, searchPlaces, { text })).places;

test('Photon is asked near the person, and its places are answered', async () => {
  answer = say({ type: 'FeatureCollection', features: [cafe] });
  const { places } = await app.ok(null, searchPlaces, { text: 'café & 茶', lon: -122.1, lat: 36.9 });
  expect(places).toMatchObject([{ id: 'osm-N5', kind: 'place', name: 'Hosted Café', detail: 'Santa Cruz' }]);
  expect(asked[0]!.pathname).toBe('/geo/api');
  expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
    q: 'café & 茶',
    limit: '10',
    lon: '-122.1',
    lat: '36.9',
  });
});

test('Nominatim is asked in its own words', async () => {
  answer = say([
    {
      osm_type: 'node',
      osm_id: 7,
      lat: '36.97',
      lon: '-122.02',
      category: 'amenity',
      type: 'cafe',
      name: 'Nominated',
      address: { road: 'Front Street', town: 'Santa Cruz' },
    },
  ]);
  expect(await search('nominated', nominatimApp)).toMatchObject([
    { name: 'Nominated', detail: 'Front Street, Santa Cruz' },
  ]);
  expect(asked[0]!.pathname).toBe('/search');
  expect(asked[0]!.searchParams.get('format')).toBe('jsonv2');
  answer = say({ error: 'Unable to geocode' });
  const own = await nominatimApp.ok(null, reversePlace, { lon: -122.0263, lat: 36.9741 });
  expect(asked[1]!.pathname).toBe('/reverse');
  expect(own.detail).toContain('Santa Cruz');
});

test('airports keep the name they have in the world’s list', async () => {
  const aerodrome = {
    ...cafe,
    geometry: { type: 'Point', coordinates: [-122.379, 37.6213] },
    properties: { osm_key: 'aeroway', osm_value: 'aerodrome', name: 'SFO', city: 'Millbrae' },
  };
  answer = say({ features: [aerodrome, cafe] });
  const places = await search('SFO');
  expect(places[0]).toMatchObject({ kind: 'airport', name: 'San Francisco International Airport' });
  expect(places.map(({ name }) => name)).not.toContain('SFO');
  expect(places.map(({ name }) => name)).toContain('Hosted Café');
});

test('a point is named by the place that stands there, not by one far away', async () => {
  const at = { lon: -122.0263, lat: 36.9741 };
  answer = say({ features: [cafe] });
  const near = await app.ok(null, reversePlace, at);
  expect(asked[0]!.pathname).toBe('/geo/reverse');
  expect(near).toMatchObject({ name: 'Hosted Café', ...at });
  answer = say({ features: [{ ...cafe, geometry: { type: 'Point', coordinates: [-122.1, 36.9] } }] });
  expect((await app.ok(null, reversePlace, at)).name).not.toBe('Hosted Café');
  // A place without a road is refused, even if the geocoder can name it.
  expect(await app.call(null, reversePlace, { lon: 0, lat: 0 })).toMatchObject({ code: 422 });
});

test('nothing found there is looked for here', async () => {
  answer = say({ features: [] });
  expect((await search('Pacific Avenue')).map(({ name }) => name)).toContain('Pacific Avenue');
});

const failures: [string, typeof answer][] = [
  ['an error', (_, response) => void response.writeHead(503).end('busy')],
  ['nonsense', (_, response) => void response.end('<html>')],
  ['another program', say({ hello: 1 })],
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a broken line', (request) => void request.socket.destroy()],
  [
    'five megabytes',
    (_, response) => void response.end(JSON.stringify({ features: ['x'.repeat(5_000_000)] })),
  ],
  ['silence', () => undefined],
];

test.each(failures)(
  '%s: one’s own places serve, and it is left alone for half a minute',
  async (_, fails) => {
    answer = fails;
    expect((await search('Pacific Avenue')).map(({ name }) => name)).toContain('Pacific Avenue');
    expect(asked).toHaveLength(1);
    answer = say({ features: [cafe] });
    await search('Pacific Aven');
    expect(asked).toHaveLength(1);
    app.clock.advance(minuteMs / 2 + 1);
    expect(await search('Hosted')).toMatchObject([{ name: 'Hosted Café' }]);
  },
);

test('an address that is neither program’s is refused at the start', () => {
  expect(() => readEnv({ GEOCODER_URL: 'https://example.com/geocode' })).toThrow(
    /GEOCODER_URL: it must end in/,
  );
  expect(() => readEnv({ GEOCODER_URL: 'photon' })).toThrow(/GEOCODER_URL/);
});

test('questions about places are counted, for guests by address', async () => {
  answer = say({ features: [cafe] });
  let refused = 0;
  for (let count = 0; count < 310; count++) {
    const { code } = await app.call(null, searchPlaces, { text: 'Hosted' });
    if (code === 429) refused += 1;
  }
  expect(refused).toBeGreaterThanOrEqual(9);
  const mia = await app.person('Mia');
  await app.ok(mia, searchPlaces, { text: 'Hosted' });
});
