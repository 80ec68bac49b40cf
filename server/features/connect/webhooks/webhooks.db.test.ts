import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listAudit } from '#contract/admin/endpoints.ts';
import {
  listDeliveries,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
  saveWebhook,
  sendAgain,
  testWebhook,
  webhookEvents,
  type WebhookEvent,
} from '#contract/connect/webhooks.ts';
import { reportPerson } from '#contract/contacts/endpoints.ts';
import { accept, askToJoin, cancelOrder } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { webhookDeliveries } from '../../../schema/connect.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { statementsOf } from '../../../testing/booking-statements.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { isSignedWith, openWebhookSink, type WebhookSink } from '../../../testing/webhook-sink.ts';
import { sendDueDeliveries } from './deliver.ts';
import * as store from './store.ts';

let app: TestApp;
let owner: TestPerson;
let sink: WebhookSink;
beforeEach(async () => {
  app = await openTestApp({ env: { WEBHOOKS_TO_LOOPBACK: '1', METRICS_TOKEN: 'a-token-of-the-test' } });
  owner = await app.person('Owner', { staffRole: 'owner' });
  sink = await openWebhookSink();
});
afterEach(async () => {
  await sink.close();
  await app.close();
});

const listening = async (events: readonly WebhookEvent[] = webhookEvents) => {
  const input = { name: 'Ours', url: sink.url, events: [...events] };
  const { webhook, secret } = await app.ok(owner, saveWebhook, input);
  return { ...webhook, secret: secret! };
};
/** Reads all events and sends all due deliveries. */
const tell = async () => {
  await app.deliver();
  await sendDueDeliveries(app.platform);
};
const log = async (webhookId: string) => (await app.ok(owner, listDeliveries, { webhookId })).deliveries;

test('what waits to be told is a figure, and how long the oldest has waited', async () => {
  const webhook = await listening(['report.filed']);
  const figures = async () => {
    const text = await app.platform.metrics.text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return ['sameway_webhook_deliveries_waiting', 'sameway_webhook_oldest_seconds'].map(figure);
  };
  expect(await figures()).toEqual([0, 0]);
  sink.answer = 503;
  await app.ok(owner, testWebhook, { id: webhook.id });
  await sendDueDeliveries(app.platform);
  app.clock.advance(2 * minuteMs);
  await app.ok(owner, testWebhook, { id: webhook.id });
  const [waiting, seconds] = await figures();
  expect(waiting).toBe(2);
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThan(180);
  sink.answer = 204;
  await sendDueDeliveries(app.platform);
  expect(await figures()).toEqual([0, 0]);
});

test('a ride’s events are signed and contain ids, but no places or names', async () => {
  const hook = await listening();
  const [driver, passenger] = [await app.person('Dora Driver'), await app.person('Paul Passenger')];
  const vehicleId = await addVehicle(app, driver);
  const ride = await publishRide(app, driver, { vehicleId });
  const request = await publishRequest(app, passenger, {});
  const ids = { rideId: ride.id, requestId: request.id };
  const { order } = await app.ok(passenger, askToJoin, { ...ids, message: 'May I?' });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car is broken.' });
  await tell();

  const told = sink.received.map(({ body }) => body.type);
  expect(told.toSorted()).toEqual([
    'booking.accepted',
    'booking.canceled',
    'booking.requested',
    'ride.canceled',
    'ride.published',
  ]);
  for (const each of sink.received) {
    expect(isSignedWith(each, hook.secret)).toBe(true);
    expect(Math.abs(each.timestamp * 1000 - app.clock.now().getTime())).toBeLessThan(minuteMs);
    expect(each.text).not.toMatch(/Dora|Paul|Santa Cruz|May I|broken|"(?:lat|lon)"|\d+\.\d{3,}[,}]/);
  }
  const asked = sink.received.find(({ body }) => body.type === 'booking.requested')!;
  expect(asked.body.data).toEqual({
    bookingId,
    ...ids,
    driverId: driver.id,
    passengerId: passenger.id,
    state: 'requesting',
  });
  expect((await log(hook.id)).map(({ state, status, tries }) => [state, status, tries])).toEqual(
    Array.from({ length: 5 }, () => ['delivered', 204, 1]),
  );
});

test('new people and reports lead to one event each, only for the selected events', async () => {
  await listening(['report.filed']);
  const [a, b] = [await app.person('A'), await app.person('B')];
  await app.ok(a, reportPerson, { id: b.id, reason: 'spam', words: 'Again and again' });
  await app.deliver();
  const [delivery] = await app.platform.db.select().from(webhookDeliveries);
  // The same signal, read again.
  const source = delivery!.source;
  const event = { event: 'report.filed', source, at: app.clock.now(), data: {} } as const;
  await store.queueDeliveries(app.platform.db, [event], app.clock.now());
  await tell();
  expect(sink.received.map(({ body }) => body.type)).toEqual(['report.filed']);
  expect(sink.received[0]!.text).not.toContain('Again and again');
});

test('a failed delivery is retried with growing pauses and the same id, until it succeeds', async () => {
  const hook = await listening(['person.joined']);
  sink.answer = 500;
  const { delivery } = await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect(await log(hook.id)).toMatchObject([
    { state: 'waiting', status: 500, tries: 1, trouble: 'so it says' },
  ]);
  await tell();
  expect(sink.received).toHaveLength(1);
  app.clock.advance(5001);
  await tell();
  app.clock.advance(59_000);
  await tell();
  expect(sink.received).toHaveLength(2);
  sink.answer = 200;
  app.clock.advance(1001);
  await tell();
  expect(sink.received.map(({ id }) => id)).toEqual([delivery.id, delivery.id, delivery.id]);
  expect(await log(hook.id)).toMatchObject([{ state: 'delivered', status: 200, tries: 3, nextAt: null }]);
  const { webhooks } = await app.ok(owner, listWebhooks, {});
  expect(webhooks[0]).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) });
});

test('a receiver that refuses on several addresses shows the reason of each', async () => {
  const hook = await listening(['person.joined']);
  const { port } = new URL(sink.url);
  const change = { id: hook.id, name: 'Ours', url: `http://localhost:${port}/hook`, events: hook.events };
  await app.ok(owner, saveWebhook, change);
  await sink.close();
  const both = [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.3', family: 4 },
  ];
  const lookup = (_name: string, _options: object, done: (error: null, found: dns.LookupAddress[]) => void) =>
    done(null, both);
  const resolved = vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  resolved.mockRestore();
  const refused = both.map(({ address }) => `connect ECONNREFUSED ${address}:${port}`);
  expect(await log(hook.id)).toMatchObject([{ state: 'waiting', status: null, trouble: refused.join('; ') }]);
});

test('Retry-After is respected, and redirects are not followed', async () => {
  const hook = await listening();
  Object.assign(sink, { answer: 429, headers: { 'retry-after': '600' } });
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  app.clock.advance(9 * minuteMs);
  await tell();
  expect(sink.received).toHaveLength(1);
  Object.assign(sink, { answer: 302, headers: { location: sink.url } });
  app.clock.advance(minuteMs + 1);
  await tell();
  expect(sink.received).toHaveLength(2);
  expect(await log(hook.id)).toMatchObject([{ state: 'waiting', status: 302 }]);
});

test('after two days of failures the webhook stops, the team gets an email, and waiting deliveries can be sent later', async () => {
  const hook = await listening();
  sink.answer = 503;
  const { delivery } = await app.ok(owner, testWebhook, { id: hook.id });
  for (let tries = 0; tries < 10; tries++) {
    await tell();
    app.clock.advance(20 * hourMs + 1);
  }
  const state = async () => (await app.ok(owner, listWebhooks, {})).webhooks[0]?.state;
  expect(await state()).toBe('stopped');
  expect(sink.received.length).toBeLessThan(10);
  const { entries } = await app.ok(owner, listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'webhook.stopped', admin: null });
  await app.deliver();
  const letters = await app.platform.db.select().from(outboxMessages);
  expect(letters.some(({ recipient, subject }) => recipient === owner.email && /Ours/.test(subject))).toBe(
    true,
  );
  sink.answer = 200;
  await app.ok(owner, saveWebhook, { id: hook.id, name: 'Ours', url: sink.url, events: ['report.filed'] });
  expect(await state()).toBe('on');
  await app.ok(owner, sendAgain, { id: delivery.id });
  const before = sink.received.length;
  await tell();
  expect(sink.received.slice(before).map(({ id }) => id)).toEqual([delivery.id]);
});

test('an address that answers 410 is stopped at once', async () => {
  const hook = await listening();
  sink.answer = 410;
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect((await app.ok(owner, listWebhooks, {})).webhooks[0]).toMatchObject({ state: 'stopped' });
  expect(await log(hook.id)).toMatchObject([{ state: 'failed', status: 410 }]);
});

test('if a process dies during an attempt, the delivery is repeated after its lease, with the same id', async () => {
  const hook = await listening();
  const { delivery } = await app.ok(owner, testWebhook, { id: hook.id });
  // A delivery that a process was sending when it was killed.
  const now = app.clock.now();
  const [leased] = await store.leaseDue(app.platform.db, {
    now,
    leaseEndsAt: later(now, minuteMs),
    most: 16,
    perWebhook: 4,
    inFlight: new Map(),
  });
  expect(leased!.id).toBe(delivery.id);
  await tell();
  expect(sink.received).toHaveLength(0);
  app.clock.advance(minuteMs + 1);
  await tell();
  expect(sink.received.map(({ id }) => id)).toEqual([delivery.id]);
});

test('a new and the former secret both sign for a day', async () => {
  const hook = await listening();
  const { secret, webhook } = await app.ok(owner, renewWebhookSecret, { id: hook.id });
  expect(webhook.formerSecretUntil).not.toBeNull();
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect(isSignedWith(sink.received[0]!, secret)).toBe(true);
  expect(isSignedWith(sink.received[0]!, hook.secret)).toBe(true);
  app.clock.advance(dayMs + 1);
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect(isSignedWith(sink.received[1]!, secret)).toBe(true);
  expect(isSignedWith(sink.received[1]!, hook.secret)).toBe(false);
  const stored = JSON.stringify(await store.allWebhooks(app.platform.db));
  expect(stored).not.toContain(secret.slice(6));
});

test('a paused webhook gets only tests, and a removed one nothing', async () => {
  const hook = await listening(['report.filed']);
  const fields = { id: hook.id, name: 'Ours', url: sink.url, events: ['report.filed' as const] };
  await app.ok(owner, saveWebhook, { ...fields, isOn: false });
  const [a, b] = [await app.person('A'), await app.person('B')];
  await app.ok(a, reportPerson, { id: b.id, reason: 'spam', words: '' });
  await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect(sink.received.map(({ body }) => body.type)).toEqual(['test']);
  await app.ok(owner, removeWebhook, { id: hook.id });
  expect(await app.call(owner, testWebhook, { id: hook.id })).toMatchObject({ reason: 'webhook.notFound' });
  expect(await app.platform.db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, hook.id))).toBe(0);
});

test('a receiver that fails is left alone, however much waits for it, except for what a person asks for', async () => {
  const hook = await listening();
  const events = Array.from({ length: 300 }, (_, number) => ({
    event: 'report.filed' as const,
    source: `signal:${number}`,
    at: app.clock.now(),
    data: {},
  }));
  await store.queueDeliveries(app.platform.db, events, app.clock.now());
  sink.answer = 503;
  const statements = await statementsOf(tell);
  expect(sink.received).toHaveLength(4);
  expect(statements.length).toBeLessThan(40);
  expect(statements.filter((text) => /"webhooks".*for update/.test(text))).toEqual([]);

  app.clock.advance(4000);
  await tell();
  expect(sink.received).toHaveLength(4);
  const { delivery } = await app.ok(owner, testWebhook, { id: hook.id });
  await tell();
  expect(sink.received.slice(4).map(({ id }) => id)).toEqual([delivery.id]);
  await app.ok(owner, sendAgain, { id: sink.received[0]!.id });
  await tell();
  expect(sink.received.slice(5).map(({ id }) => id)).toEqual([sink.received[0]!.id]);

  sink.answer = 204;
  app.clock.advance(minuteMs);
  await tell();
  expect(new Set(sink.received.map(({ id }) => id)).size).toBe(301);
  expect(await app.platform.db.$count(webhookDeliveries, eq(webhookDeliveries.state, 'delivered'))).toBe(301);
});

test('a receiver that answers while the server looks for more deliveries gets the rest in the same run', async () => {
  const hook = await listening();
  for (let sent = 0; sent < 6; sent++) await app.ok(owner, testWebhook, { id: hook.id });
  const { db } = app.platform;
  const delivered = () => db.$count(webhookDeliveries, eq(webhookDeliveries.state, 'delivered'));
  const execute = db.execute.bind(db);
  let queries = 0;
  async function executeLate(query: Parameters<typeof execute>[0]) {
    // The second query skips the receiver, which has four deliveries in flight. They all end before it runs.
    if (++queries === 2) {
      sink.answer = 204;
      sink.answerHeld(204);
      await expect.poll(delivered).toBe(4);
    }
    return execute(query);
  }
  vi.spyOn(db, 'execute').mockImplementation(executeLate as typeof db.execute);
  sink.answer = 'never';
  await sendDueDeliveries(app.platform);
  expect(sink.received).toHaveLength(6);
  expect(await delivered()).toBe(6);
});

test('a receiver that answers slowly never has more than four deliveries at a time', async () => {
  const hook = await listening();
  for (let sent = 0; sent < 8; sent++) await app.ok(owner, testWebhook, { id: hook.id });
  sink.answer = 'never';
  const working = sendDueDeliveries(app.platform);
  await expect.poll(() => sink.received.length).toBe(4);
  sink.answerHeld(204, 1);
  await expect.poll(() => sink.received.length).toBe(5);
  // Longer than the server's interval of polling for more.
  await sleep(300);
  expect(sink.received).toHaveLength(5);
  sink.answer = 204;
  sink.answerHeld(204);
  await working;
  expect(sink.received).toHaveLength(8);
});

test('a webhook that is changed is tried at once', async () => {
  const hook = await listening(['report.filed']);
  sink.answer = 503;
  const [a, b, c] = [await app.person('A'), await app.person('B'), await app.person('C')];
  await app.ok(a, reportPerson, { id: b.id, reason: 'spam', words: '' });
  await tell();
  expect(sink.received).toHaveLength(1);
  sink.answer = 204;
  await app.ok(a, reportPerson, { id: c.id, reason: 'spam', words: '' });
  await tell();
  expect(sink.received).toHaveLength(1);
  await app.ok(owner, saveWebhook, { id: hook.id, name: 'Ours', url: sink.url, events: ['report.filed'] });
  await tell();
  expect(sink.received).toHaveLength(2);
});

test('a receiver that does not answer does not delay another', async () => {
  const slow = await openWebhookSink();
  try {
    slow.answer = 'never';
    const hook = await listening(['report.filed']);
    const input = { name: 'Slow', url: slow.url, events: ['report.filed' as const] };
    const hanging = (await app.ok(owner, saveWebhook, input)).webhook;
    for (let sent = 0; sent < 6; sent++) await app.ok(owner, testWebhook, { id: hanging.id });
    const working = tell();
    await expect.poll(() => slow.received.length).toBe(4);
    await app.ok(owner, testWebhook, { id: hook.id });
    await expect.poll(() => sink.received.length, { timeout: 5000 }).toBe(1);
    expect(slow.received).toHaveLength(4);
    await slow.close();
    await working;
  } finally {
    await slow.close();
  }
});

test.each([
  ['http://example.com/hook', 'webhook.notHttps'],
  ['ftp://example.com/hook', 'webhook.notHttps'],
  ['https://10.0.0.8/hook', 'webhook.notPublic'],
  ['https://[fd00::1]/hook', 'webhook.notPublic'],
  ['https://169.254.169.254/latest/meta-data', 'webhook.notPublic'],
  ['https://2130706433/hook', 'webhook.notPublic'],
  ['https://intranet/hook', 'webhook.notPublic'],
  ['https://user:word@example.com/hook', 'webhook.notPublic'],
  ['no address', 'input.invalid'],
])('%s is refused with %s, at its field', async (url, reason) => {
  const strict = await openTestApp();
  try {
    const admin = await strict.person('Owner', { staffRole: 'owner' });
    const answer = await strict.call(admin, saveWebhook, { name: 'Ours', url, events: ['ride.changed'] });
    expect(answer).toMatchObject({ code: 422, reason, data: { fields: { url: expect.any(String) } } });
  } finally {
    await strict.close();
  }
});
