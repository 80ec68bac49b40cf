import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { quote } from '#contract/rides/endpoints.ts';
import { openTestHouse, type TestHouse } from '../testing/house.ts';
import { StandingClock } from '../testing/standing-clock.ts';
import { spots } from '../testing/orders.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ clock: new StandingClock(new Date('2026-11-23T15:00:00Z')) });
});
afterAll(() => house.close());

const way = {
  fromLon: spots.downtown.lon,
  fromLat: spots.downtown.lat,
  toLon: spots.aptos.lon,
  toLat: spots.aptos.lat,
};

test('a person who asks too often waits; nobody else behind the same address does, and guests count by themselves', async () => {
  const [busy, calm] = [await house.person('Busy'), await house.person('Calm')];
  const { perPerson, withinSeconds } = quote.limit!;
  for (let asked = 0; asked < perPerson; asked++) expect((await house.call(busy, quote, way)).code).toBe(200);
  const refused = await house.call(busy, quote, way);
  expect(refused).toMatchObject({
    code: 429,
    reason: 'rate.limited',
    data: { retryAfterSeconds: withinSeconds },
  });
  expect((await house.call(calm, quote, way)).code).toBe(200);
  expect((await house.call(null, quote, way)).code).toBe(200);
  house.clock.advance(withinSeconds * 1000);
  expect((await house.call(busy, quote, way)).code).toBe(200);
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
