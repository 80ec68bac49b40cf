import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { login, type SessionUser } from '#contract/access/endpoints.ts';
import { beginTotp, confirmTotp, secondStep } from '#contract/access/second-factor.ts';
import { renewWebhookSecret, saveWebhook, testWebhook } from '#contract/connect/webhooks.ts';
import { createEvent, eventDetail } from '#contract/events/endpoints.ts';
import { pickUp } from '#contract/rides/endpoints.ts';
import { makeLink, readLink } from '#contract/rides/share-links.ts';
import { boardingKey, boardingPass } from '#contract/trips/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { settings } from '../../schema/platform.ts';
import { totpSecrets } from '../../schema/identity.ts';
import { sealedColumns } from '../../sealed-columns.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { codeShown } from '../../testing/authenticator.ts';
import { publishRide, spots } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { isSignedWith, openWebhookSink, type WebhookSink } from '../../testing/webhook-sink.ts';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../clock.ts';
import { dropEndedKeys, rotateKey, showKeys, type KeyName } from './key-ring.ts';
import { countSealed, resealAll, scheduleReseal } from './reseal.ts';
import { createSeal, type Seal } from './seal.ts';
import { createSignedTokens } from './signed-token.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';
import { sendDueDeliveries } from '../../features/connect/webhooks/deliver.ts';

const [oldKey, newKey, strange] = [
  'the-old-key-of-the-town',
  'the-new-key-of-the-town',
  'a-key-of-another-town',
];
const password = 'correct-donkey-tram';
let app: TestApp;
let sink: WebhookSink;
beforeEach(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { SEAL_KEYS: oldKey, WEBHOOKS_TO_LOOPBACK: '1' },
  });
  sink = await openWebhookSink();
});
afterEach(async () => {
  await sink.close();
  await app.close();
});

/** Simulates a restart with other `SEAL_KEYS`. */
const restartWith = (...keys: string[]): Seal =>
  Object.assign(app.platform.seal, createSeal(app.platform.db, keys));
const counts = () => countSealed(app.platform.db, app.platform.seal, sealedColumns);

/** A person with an authenticator app who is signed in. */
async function personWithApp(name: string) {
  const email = `${name}@example.com`;
  await enrollAccount(app.platform, { email, phone: '', name, password, language: 'en' });
  const as = ({ id, accessToken: token }: SessionUser): TestPerson => ({ id, email, token });
  const me = as(await app.ok(null, login, { email, password }));
  const { secret } = await app.ok(me, beginTotp, {});
  await app.ok(me, confirmTotp, { code: codeShown(secret, app.clock.now()) });
  return {
    me,
    async signIn() {
      app.clock.advance(minuteMs);
      const { data } = await app.call(null, login, { email, password });
      const { ticket } = data as unknown as { ticket: string };
      return app.call(null, secondStep, { ticket, code: codeShown(secret, app.clock.now()) });
    },
  };
}

async function webhookWithTwoSecrets() {
  const owner = await app.person('Owner', { staffRole: 'owner' });
  const input = { name: 'Ours', url: sink.url, events: ['ride.published' as const] };
  const { webhook, secret } = await app.ok(owner, saveWebhook, input);
  const renewed = await app.ok(owner, renewWebhookSecret, { id: webhook.id });
  return async () => {
    await app.ok(owner, testWebhook, { id: webhook.id });
    await sendDueDeliveries(app.platform);
    const event = sink.received.at(-1)!;
    return [renewed.secret, secret!].map((each) => isSignedWith(event, each));
  };
}

/** Encrypts a few values, and then dies. */
function dyingAfter(values: number): Seal {
  let left = values;
  return {
    ...app.platform.seal,
    async seal(value, whose) {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return app.platform.seal.seal(value, whose);
    },
  };
}

test('SEAL_KEYS: a new one in front, the old one behind it, then without the old one: sessions, apps and webhooks go on', async () => {
  const [nora, omar] = [await personWithApp('nora'), await personWithApp('omar')];
  const signatures = await webhookWithTwoSecrets();
  expect(await counts()).toEqual({ current: 4, former: 0 });

  restartWith(newKey, oldKey);
  expect(await counts()).toEqual({ current: 0, former: 4 });
  expect((await nora.signIn()).code).toBe(200);
  expect(await signatures()).toEqual([true, true]);
  // Values encrypted from now on use the new key.
  await personWithApp('pia');
  expect(await counts()).toEqual({ current: 1, former: 4 });

  // The background task ends in the middle, and another process does the rest.
  const killed = scheduleReseal({ ...app.platform, seal: dyingAfter(2) }, sealedColumns);
  await expect(killed.run()).rejects.toThrow('killed');
  expect(await counts()).toEqual({ current: 3, former: 2 });
  const task = scheduleReseal(app.platform, sealedColumns);
  await task.run();
  expect(await counts()).toEqual({ current: 5, former: 0 });
  // Nothing is left to do, and nothing is done again.
  const rows = () => app.platform.db.select().from(totpSecrets).orderBy(totpSecrets.userId);
  const before = await rows();
  await task.run();
  expect(await resealAll(app.platform.db, app.platform.seal, sealedColumns)).toEqual({
    sealed: 0,
    unreadable: 0,
  });
  expect(await rows()).toEqual(before);

  restartWith(newKey);
  for (const person of [nora, omar]) {
    expect((await app.call(person.me, readProfile, {})).code).toBe(200);
    expect((await person.signIn()).code).toBe(200);
  }
  expect(await signatures()).toEqual([true, true]);
});

test('a process that still has the old one in front writes more, and the next round gets it', async () => {
  const { me } = await personWithApp('nora');
  restartWith(newKey, oldKey);
  const task = scheduleReseal(app.platform, sealedColumns);
  await task.run();
  const late = await createSeal(app.platform.db, [oldKey]).seal(Buffer.from('late'), me.id);
  await app.platform.db.update(totpSecrets).set({ secret: late }).where(eq(totpSecrets.userId, me.id));
  await task.run();
  expect(await counts()).toEqual({ current: 0, former: 1 });
  app.clock.advance(hourMs);
  await task.run();
  expect(await counts()).toEqual({ current: 1, former: 0 });
});

test('the first key of an installation without any in its settings is replaced in the same way', async () => {
  restartWith();
  const nora = await personWithApp('nora');
  restartWith(newKey);
  expect(await counts()).toEqual({ current: 0, former: 1 });
  await scheduleReseal(app.platform, sealedColumns).run();
  await app.platform.db.delete(settings).where(eq(settings.name, 'sealKey'));
  expect((await nora.signIn()).code).toBe(200);
  expect(await app.platform.db.$count(settings, eq(settings.name, 'sealKey'))).toBe(0);
});

test('a value whose key is missing stays as it is, and the rest goes on', async () => {
  const lost = await personWithApp('lost');
  restartWith(strange);
  const found = await personWithApp('found');
  restartWith(newKey, strange);
  const { db, seal } = app.platform;
  expect(await resealAll(db, seal, sealedColumns)).toEqual({ sealed: 1, unreadable: 1 });
  expect((await found.signIn()).code).toBe(200);
  restartWith(newKey, oldKey);
  expect((await lost.signIn()).code).toBe(200);
});

const rotate = (name: KeyName, atOnce = false) =>
  app.platform.db.transaction((tx) => rotateKey(tx, name, { now: app.clock.now(), atOnce }));

test('the key of links: a new one signs once every process knows it; what the old one signed opens until it ends', async () => {
  const { db, signedTokens } = app.platform;
  const ids = [randomUUID()];
  const sign = (days: number) => signedTokens.sign('qr', ids, later(app.clock.now(), days * dayMs));
  const [month, year] = [await sign(30), await sign(399)];
  const other = createSignedTokens(db, app.clock);
  expect(await other.verify('qr', year)).toEqual(ids);

  expect(await rotate('signing')).toBe(true);
  const former = await signedTokens.derive('event', 'a');
  app.clock.advance(minuteMs);
  // Every process knows the new key, and none signs with it yet.
  expect(await signedTokens.derive('event', 'a')).toBe(former);
  expect(await other.derivations('event', 'a')).toHaveLength(2);
  app.clock.advance(minuteMs + secondMs);
  expect(await signedTokens.derive('event', 'a')).not.toBe(former);
  expect(await signedTokens.derivations('event', 'a')).toContain(former);
  const fresh = await sign(30);
  for (const code of [month, year, fresh]) expect(await other.verify('qr', code)).toEqual(ids);

  // A second rotation keeps both.
  await rotate('signing');
  app.clock.advance(3 * minuteMs);
  for (const code of [month, year, fresh]) expect(await other.verify('qr', code)).toEqual(ids);
  app.clock.advance(398 * dayMs);
  await dropEndedKeys(db, app.clock.now());
  expect(await other.verify('qr', year)).toEqual(ids);
  app.clock.advance(2 * dayMs);
  await dropEndedKeys(db, app.clock.now());
  expect(await showKeys(db, 'signing', app.clock.now())).toMatchObject({ formerUntil: [] });
  expect(await other.derivations('event', 'a')).toHaveLength(1);
});

test('two rotations at the same moment: each key that anything was signed with still verifies', async () => {
  const { signedTokens } = app.platform;
  const code = await signedTokens.sign('qr', [randomUUID()], later(app.clock.now(), dayMs));
  await Promise.all([rotate('signing'), rotate('signing')]);
  app.clock.advance(3 * minuteMs);
  expect(await signedTokens.verify('qr', code)).not.toBeNull();
});

test('people stay signed in; links to events and rides, PINs and codes from before still open', async () => {
  const fixture = await openAccessFixture(app, 'atPickup');
  const { driver, passenger } = fixture.people;
  const { bookingId } = fixture;
  const to = async (url: string) =>
    (await app.http.inject({ url, headers: { accept: 'text/html' } })).headers['location'];
  const { id } = await app.ok(driver, createEvent, {
    name: 'Swap meet',
    place: spots.aptos,
    visibility: 'link',
    starts: '2027-01-28T18:00',
    ends: '2027-01-28T21:00',
  });
  const event = await app.ok(driver, eventDetail, { id });
  const host = await app.person('Host');
  const ride = await publishRide(app, host, { visibility: 'private' });
  const link = await app.ok(host, makeLink, { id: ride.id });
  const { pin } = await app.ok(passenger, boardingPass, { bookingId });

  await rotate('signing');
  app.clock.advance(3 * minuteMs);
  expect((await app.call(null, eventDetail, { id, token: event.token })).code).toBe(200);
  expect(await to(event.link)).toContain(`id=${id}&token=`);
  expect((await app.ok(driver, eventDetail, { id })).link).toBe(event.link);
  expect(await to(link.short!)).toBe(link.path);
  expect(await app.ok(host, readLink, { id: ride.id })).toEqual(link);
  expect((await app.call(driver, pickUp, { bookingId, pin })).code).toBe(200);

  // A leaked key ends at once, and with it what it signed; sessions do not.
  await rotate('signing', true);
  app.clock.advance(minuteMs);
  expect((await app.call(null, eventDetail, { id, token: event.token })).code).toBe(404);
  expect(await app.ok(host, readLink, { id: ride.id })).toEqual({ path: null, short: null, madeAt: null });
  const next = await app.ok(host, makeLink, { id: ride.id });
  expect(next.path).not.toBe(link.path);
  expect(await to(next.short!)).toBe(next.path);
  for (const person of [driver, passenger, host])
    expect((await app.call(person, readProfile, {})).code).toBe(200);
});

test('the key of boarding codes: phones know the new one two days before it signs', async () => {
  const fixture = await openAccessFixture(app, 'atPickup');
  const { driver, passenger } = fixture.people;
  const keys = () => app.ok(driver, boardingKey, { id: fixture.ride.id });
  const before = await keys();
  expect(before.others).toEqual([]);
  const { code } = await app.ok(passenger, boardingPass, { bookingId: fixture.bookingId });
  await rotate('boarding');
  app.clock.advance(minuteMs);
  const during = await keys();
  expect(during).toMatchObject({ x: before.x, y: before.y });
  expect(during.others).toHaveLength(1);
  await app.ok(driver, pickUp, { bookingId: fixture.bookingId, code });

  app.clock.advance(2 * dayMs);
  const after = await keys();
  expect(after).toEqual({ ...during.others[0], others: [{ x: before.x, y: before.y }] });
  app.clock.advance(dayMs);
  await dropEndedKeys(app.platform.db, app.clock.now());
  expect((await keys()).others).toEqual([]);
});
