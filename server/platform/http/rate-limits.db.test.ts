import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import type { RateLimit } from '#contract/define.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
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
  const [{ most, withinSeconds }] = quote.limits as [RateLimit];
  for (let asked = 0; asked < most; asked++) expect((await app.call(busy, quote, way)).code).toBe(200);
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
  const limited = allEndpoints.filter(({ limits = [] }) => limits.length > 0).map(({ path }) => path);
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

test('what is counted in the database is counted once for each thing done: not what is invalid, not what is repeated with its key', async () => {
  const person = await app.person('Patient');
  const message = { subject: 'Again', message: 'And again' };
  const [{ most }] = postFeedback.limits as [RateLimit];
  for (let sent = 0; sent < most; sent++) {
    const idempotencyKey = crypto.randomUUID();
    for (const time of ['once', 'again'])
      expect((await app.call(person, postFeedback, message, { idempotencyKey })).code, time).toBe(200);
    expect((await app.call(person, postFeedback, { ...message, message: '' })).code).toBe(422);
  }
  expect((await app.call(person, postFeedback, message)).code).toBe(429);
});
