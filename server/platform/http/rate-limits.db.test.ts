import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { quote } from '#contract/rides/endpoints.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { StandingClock } from '../../testing/fixed-clock.ts';
import { spots } from '../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ clock: new StandingClock(new Date('2026-11-23T15:00:00Z')) });
});
afterAll(() => app.close());

const way = {
  fromLon: spots.downtown.lon,
  fromLat: spots.downtown.lat,
  toLon: spots.aptos.lon,
  toLat: spots.aptos.lat,
};

test('a person who asks too often waits; nobody else behind the same address does, and guests count by themselves', async () => {
  const [busy, calm] = [await app.person('Busy'), await app.person('Calm')];
  const { perPerson, withinSeconds } = quote.limit!;
  for (let asked = 0; asked < perPerson; asked++) expect((await app.call(busy, quote, way)).code).toBe(200);
  const refused = await app.call(busy, quote, way);
  expect(refused).toMatchObject({
    code: 429,
    reason: 'rate.limited',
    data: { retryAfterSeconds: withinSeconds },
  });
  expect((await app.call(calm, quote, way)).code).toBe(200);
  expect((await app.call(null, quote, way)).code).toBe(200);
  app.clock.advance(withinSeconds * 1000);
  expect((await app.call(busy, quote, way)).code).toBe(200);
});

test('every call that searches roads or orders, or publishes one, has its limit', () => {
  const limited = allEndpoints.filter(({ limit }) => limit !== undefined).map(({ path }) => path);
  for (const path of [
    'nearby',
    'match',
    'match-map',
    'explain',
    'quote',
    'create',
    'update',
    'request',
    'invite',
  ])
    expect(limited).toContain(`/order/${path}`);
  for (const path of ['/discover/ways', '/discover/people', '/alert/create']) expect(limited).toContain(path);
});
