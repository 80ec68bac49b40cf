import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { staffRoles } from '#contract/admin/roles.ts';
import { askToJoin, reject } from '#contract/rides/endpoints.ts';
import { tellLocation, whereIsCar } from '#contract/trips/endpoints.ts';
import { hourMs } from './platform/clock.ts';
import { attempts, outboxMessages } from './schema/platform.ts';
import { accessRows } from './testing/access-rows.ts';
import { carryOn, openAccessFixture, type AccessFixture, type Step } from './testing/access-fixture.ts';
import { openLive, type LiveClient } from './testing/chat-client.ts';
import { doors, doorsIn } from './testing/exact-places.ts';
import { publishRequest } from './testing/orders.ts';
import type { TestPerson } from './testing/people.ts';
import { openTestApp } from './testing/test-app.ts';

const app = await openTestApp({
  startsAt: new Date('2026-11-23T17:00:00Z'),
  env: { DEMO: '1' },
  withLive: true,
});
afterAll(() => app.close());

type Looker = 'guest' | 'stranger' | 'contact' | 'declined' | 'waiting' | 'passenger' | 'driver' | 'staff';

/**
 * Every read, made as the access table makes it. The demo's inbox shows all people's emails to all by design;
 * `doorsInNewEmails` checks who each email was for.
 */
const reads = allEndpoints.filter(({ method, path }) => method === 'GET' && path !== '/demo/outbox');

interface Scene {
  fixture: AccessFixture;
  lookers: Map<string, { kind: Looker; person: TestPerson | null }>;
}

async function openScene(): Promise<Scene> {
  const fixture = await openAccessFixture(app, 'asked', undefined, doors);
  const { driver, passenger, contact, stranger } = fixture.people;
  const [declined, waiting] = [await app.person('Declined'), await app.person('Waiting')];
  for (const person of [declined, waiting]) {
    await app.pool.query(
      `insert into contacts (owner_id, other_id, origin, created_at)
       values ($1, $2, 'DIRECT', now()), ($2, $1, 'DIRECT', now())`,
      [driver.id, person.id],
    );
    const request = await publishRequest(app, person, { visibility: 'all contacts' });
    const ids = { rideId: fixture.ride.id, requestId: request.id };
    const { order } = await app.ok(person, askToJoin, { ...ids, message: '' });
    if (person === declined)
      await app.ok(driver, reject, { bookingId: order.bookings[0]!.id, reason: 'No room' });
  }
  const lookers: Scene['lookers'] = new Map();
  const known = { guest: null, stranger, contact, declined, waiting, passenger, driver };
  for (const kind of Object.keys(known) as (keyof typeof known)[])
    lookers.set(kind, { kind, person: known[kind] });
  for (const role of staffRoles) lookers.set(role, { kind: 'staff', person: fixture.people[role] });
  return { fixture, lookers };
}

/**
 * The people who may know each other's exact places: passenger and driver, while they ride together and for a
 * day afterwards.
 */
const together = new Set<Looker>(['passenger', 'driver']);

/** Exact places that reads reveal to people who should not see them, and the number of answers checked. */
async function lookAtAll({ fixture, lookers }: Scene, isTogether: boolean) {
  const found: string[] = [];
  let answers = 0;
  for (const [name, { kind, person }] of lookers)
    for (const endpoint of reads) {
      const row = accessRows[`${endpoint.method} ${endpoint.path}`];
      await app.platform.db.delete(attempts);
      const role = kind === 'declined' || kind === 'waiting' || kind === 'staff' ? 'stranger' : kind;
      const input = await Promise.resolve(row?.input?.(fixture, role)).catch(() => null);
      if (input === null) continue;
      const answer = await app.callUnchecked(person, endpoint, input ?? {});
      if (answer.code === 200) answers++;
      for (const { owner, at } of doorsIn(answer))
        if (owner !== kind && !(isTogether && together.has(kind)))
          found.push(`${name} reads the ${owner}’s door in ${endpoint.path}${at}`);
    }
  return { found, answers };
}

const checkedEmails = new Set<string>();

/** Exact places in emails since the last call whose reader should not see them. */
async function doorsInNewEmails({ lookers }: Scene, isTogether: boolean): Promise<string[]> {
  await app.deliver();
  const emails = await app.platform.db.select().from(outboxMessages);
  return emails.flatMap(({ id, recipient, subject, body, page }) => {
    if (checkedEmails.has(id)) return [];
    checkedEmails.add(id);
    const kind = [...lookers.values()].find(({ person }) => person?.email === recipient)?.kind;
    return doorsIn({ subject, body, page })
      .filter(({ owner }) => owner !== kind && !(isTogether && kind !== undefined && together.has(kind)))
      .map(({ owner, at }) => `an email to ${recipient} has the ${owner}’s door in ${at}`);
  });
}

test('only people who ride together see exact places, in every read and email as every role, until a day after the ride', async () => {
  const scene = await openScene();
  const steps: { until: Step; isTogether: boolean }[] = [
    { until: 'asked', isTogether: false },
    { until: 'joined', isTogether: true },
    { until: 'departed', isTogether: true },
    { until: 'finished', isTogether: true },
  ];
  let at: Step = 'asked';
  for (const { until, isTogether } of steps) {
    await carryOn(scene.fixture, at, until);
    at = until;
    const { found, answers } = await lookAtAll(scene, isTogether);
    expect(found, until).toEqual([]);
    expect(await doorsInNewEmails(scene, isTogether), until).toEqual([]);
    expect(answers, until).toBeGreaterThan(300);
  }
  app.clock.advance(25 * hourMs);
  expect((await lookAtAll(scene, false)).found, 'a day later').toEqual([]);
}, 600_000);

test('only the driver and the passengers who wait or ride see the car’s position; sockets send places to no one else', async () => {
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const scene = await openScene();
  const { fixture, lookers } = scene;
  const heard = new Map<string, { event: string; data: unknown }[]>();
  const sockets: LiveClient[] = [];
  for (const [name, { person }] of lookers) {
    if (person === null) continue;
    const events: { event: string; data: unknown }[] = [];
    heard.set(name, events);
    const socket = openLive(`http://127.0.0.1:${port}`, person.token);
    socket.onAny((event: string, data: unknown) => events.push({ event, data }));
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  }
  await carryOn(fixture, 'asked', 'joined');
  const doorsBefore = [...heard].flatMap(([name, events]) =>
    events.flatMap(({ data }) => doorsIn(data).map(({ owner }) => `${name}: ${owner}`)),
  );
  expect(doorsBefore.filter((each) => !/^(driver|passenger): /.test(each))).toEqual([]);
  await carryOn(fixture, 'joined', 'departed');
  app.clock.advance(5000);
  const { lon, lat } = doors.driver.from;
  await app.ok(fixture.people.driver, tellLocation, { id: fixture.ride.id, lon, lat, headingDegrees: null });
  await expect
    .poll(() => heard.get('passenger')!.filter(({ event }) => event === 'position').length)
    .toBeGreaterThan(0);
  await carryOn(fixture, 'departed', 'finished');
  for (const [name, events] of heard) {
    const isConcerned = name === 'driver' || name === 'passenger';
    if (isConcerned) continue;
    expect([name, events.filter(({ event }) => event === 'position')]).toEqual([name, []]);
    expect([name, events.flatMap(({ data }) => doorsIn(data))]).toEqual([name, []]);
  }
  for (const [name, { person }] of lookers) {
    const answer = await app.callUnchecked(person, whereIsCar, { id: fixture.ride.id });
    expect([name, doorsIn(answer)]).toEqual([name, []]);
  }
  for (const socket of sockets) socket.disconnect();
}, 120_000);
