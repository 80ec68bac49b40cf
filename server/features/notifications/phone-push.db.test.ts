import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  connectPhone,
  disconnectPhone,
  listUndelivered,
  readSettings,
  type PhoneCarrier,
} from '#contract/notifications/endpoints.ts';
import { minuteMs } from '../../platform/clock.ts';
import { openPhoneCarriers, type PhoneCarriers } from '../../testing/phone-carriers.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

let carriers: PhoneCarriers;
let app: TestApp;
beforeAll(async () => {
  carriers = await openPhoneCarriers();
  app = await openTestApp({ env: carriers.env });
});
afterAll(async () => {
  await app.close();
  carriers.close();
});
beforeEach(() => {
  for (const carrier of [carriers.fcm, carriers.apns]) {
    carrier.answer = { status: 200, body: {} };
    carrier.received.length = 0;
  }
});

const pushed = {
  title: 'Mia wants to join your ride',
  body: 'Tue, 7:15 AM',
  tag: 'order:1',
  path: '/pages/order/detail?id=1',
  language: 'en',
  atMs: 0,
  unread: 3,
};

async function phoneOf(person: TestPerson, carrier: PhoneCarrier): Promise<string> {
  const token =
    carrier === 'apns' ? randomBytes(32).toString('hex') : `fcm:${randomBytes(60).toString('hex')}`;
  await app.ok(person, connectPhone, { carrier, token });
  return token;
}

/** Sends to every device of a person, as a notice does, and delivers. */
async function pushTo(person: TestPerson, tag = pushed.tag): Promise<void> {
  const { db, outbox, clock } = app.platform;
  const devices = await app.serverPool.query<{ id: string }>(
    'select id from push_devices where user_id = $1',
    [person.id],
  );
  for (const { id } of devices.rows)
    await outbox.push(db, {
      deviceId: id,
      text: JSON.stringify({ ...pushed, tag }),
      goodUntilMs: clock.now().getTime() + 30 * minuteMs,
      urgent: true,
    });
  await app.deliver();
}

/** Tries again at once what has failed; the queue puts a job back a moment after its try has ended. */
async function tryAgain(): Promise<void> {
  const makeDue = () =>
    app.serverPool.query(
      `update graphile_worker._private_jobs set run_at = now() - interval '1 second' where locked_at is null`,
    );
  await expect.poll(async () => (await makeDue()).rowCount).toBe(1);
  await app.deliver();
}

const devicesOf = async (person: TestPerson) => (await app.ok(person, readSettings, {})).push.devices;

test('a message reaches an Android phone and an iPhone, each signed as its carrier wants it', async () => {
  const mia = await app.person('Mia');
  expect((await app.ok(mia, readSettings, {})).push.phones).toEqual(['fcm', 'apns']);
  const [android, iphone] = [await phoneOf(mia, 'fcm'), await phoneOf(mia, 'apns')];
  expect(await devicesOf(mia)).toBe(2);
  await pushTo(mia);
  expect(carriers.fcm.received).toMatchObject([
    {
      token: android,
      body: {
        notification: { title: pushed.title, body: pushed.body },
        data: { path: pushed.path, tag: pushed.tag },
        android: {
          priority: 'HIGH',
          ttl: expect.stringMatching(/^1(799|800)s$/),
          notification: { tag: pushed.tag, notification_count: pushed.unread },
        },
      },
    },
  ]);
  expect(carriers.apns.received).toMatchObject([
    {
      token: iphone,
      headers: {
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-collapse-id': pushed.tag,
        'apns-topic': 'com.example.sameway',
      },
      body: {
        aps: { alert: { title: pushed.title, body: pushed.body }, badge: pushed.unread },
        path: pushed.path,
      },
    },
  ]);
  // One sign-in and one connection serve them all; a tag that is too long for Apple is shortened.
  await pushTo(mia, `room:${randomUUID()}:${randomUUID()}`);
  expect([carriers.fcm.signIns, carriers.apns.connections]).toEqual([1, 1]);
  expect(carriers.apns.received[1]?.headers['apns-collapse-id']).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[PhoneCarrier, number, unknown]>([
  ['fcm', 404, { error: { details: [{ errorCode: 'UNREGISTERED' }] } }],
  ['fcm', 403, { error: { details: [{ errorCode: 'SENDER_ID_MISMATCH' }] } }],
  ['fcm', 400, { error: { details: [{ errorCode: 'INVALID_ARGUMENT' }] } }],
  ['apns', 410, { reason: 'Unregistered', timestamp: 1 }],
  ['apns', 400, { reason: 'BadDeviceToken' }],
])('%s: a phone that gets nothing any more is forgotten (%i)', async (carrier, status, body) => {
  const mia = await app.person('Mia');
  await phoneOf(mia, carrier);
  carriers[carrier].answer = { status, body };
  await pushTo(mia);
  expect(await devicesOf(mia)).toBe(0);
});

test.each<[PhoneCarrier, number, unknown]>([
  ['fcm', 400, { error: { details: [{ fieldViolations: [{ field: 'message.data' }] }] } }],
  ['fcm', 503, 'a proxy’s page'],
  ['apns', 403, { reason: 'ExpiredProviderToken' }],
  ['apns', 503, { reason: 'ServiceUnavailable' }],
])('%s: what could not be handed over is tried again (%i)', async (carrier, status, body) => {
  const mia = await app.person('Mia');
  await phoneOf(mia, carrier);
  carriers[carrier].answer = { status, body };
  await pushTo(mia);
  expect(carriers[carrier].received).toEqual([]);
  carriers[carrier].answer = { status: 200, body: {} };
  await tryAgain();
  expect(carriers[carrier].received).toHaveLength(1);
  expect(await devicesOf(mia)).toBe(1);
});

test('an access token that has ended early is renewed', async () => {
  const mia = await app.person('Mia');
  await phoneOf(mia, 'fcm');
  await pushTo(mia);
  const { signIns } = carriers.fcm;
  carriers.fcm.endTokens();
  await pushTo(mia);
  await tryAgain();
  expect([carriers.fcm.received.length, carriers.fcm.signIns]).toEqual([2, signIns + 1]);
});

test('a message that never arrived is kept for the admins under its carrier, not its token', async () => {
  const [mia, admin] = [await app.person('Mia'), await app.person('Ada', { isAdmin: true })];
  const token = await phoneOf(mia, 'apns');
  carriers.apns.answer = { status: 500, body: { reason: 'InternalServerError' } };
  await pushTo(mia);
  for (let tried = 0; tried < 20; tried++) {
    await app.serverPool.query('update graphile_worker._private_jobs set run_at = now()');
    await app.deliver();
  }
  const { undelivered } = await app.ok(admin, listUndelivered, {});
  expect(undelivered).toMatchObject([{ task: 'push', to: 'apns', what: pushed.title }]);
  expect(JSON.stringify(undelivered)).not.toContain(token);
});

test('a phone belongs to the person who connected it last, until that person disconnects it', async () => {
  const [mia, noah] = [await app.person('Mia'), await app.person('Noah')];
  const token = await phoneOf(mia, 'fcm');
  await app.ok(noah, connectPhone, { carrier: 'fcm', token });
  expect([await devicesOf(mia), await devicesOf(noah)]).toEqual([0, 1]);
  expect(await app.ok(mia, disconnectPhone, { token })).toEqual({ devices: 0 });
  expect(await devicesOf(noah)).toBe(1);
  expect(await app.ok(noah, disconnectPhone, { token })).toEqual({ devices: 0 });
});

test('without keys of a carrier no phone is connected', async () => {
  const bare = await openTestApp();
  const mia = await bare.person('Mia');
  expect((await bare.ok(mia, readSettings, {})).push.phones).toEqual([]);
  expect(await bare.call(mia, connectPhone, { carrier: 'apns', token: 'a'.repeat(64) })).toMatchObject({
    code: 422,
    reason: 'notification.phoneCarrier',
  });
  await bare.close();
});
