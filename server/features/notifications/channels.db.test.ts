import { timeOfDay } from '#contract/formats/times.ts';
import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logout } from '#contract/access/endpoints.ts';
import { markRead, sendMessage } from '#contract/chat/endpoints.ts';
import { applyForContact } from '#contract/contacts/endpoints.ts';
import {
  connectDevice,
  countNews,
  deliverAgain,
  firstChoices,
  listNews,
  listUndelivered,
  readNews,
  readSettings,
  saveSettings,
  seeNews,
  unsubscribe,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { askToJoin } from '#contract/rides/endpoints.ts';
import { hourMs, minuteMs } from '../../platform/clock.ts';
import { events } from '../../schema/events.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { users } from '../../schema/identity.ts';
import { notifications as newsTable } from '../../schema/notifications.ts';
import { carryOn, openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { eventOf } from '../../testing/access-records.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { openPushSink, type PushSink } from '../../testing/push-sink.ts';

let app: TestApp;
let sink: PushSink;
beforeAll(async () => {
  sink = await openPushSink();
  app = await openTestApp({
    // Nine in the morning in California.
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { PUSH_SERVICES: sink.origin, PUBLIC_URL: 'https://sameway.example', SMS_URL: `${sink.origin}/sms` },
  });
});
afterAll(async () => {
  await app.close();
  sink.close();
});

const agreed: NotificationChoices = { ...firstChoices, agreed: true };

/** Advances the clock and runs the scheduled tasks. */
async function pass(milliseconds: number): Promise<void> {
  await app.deliver();
  app.clock.advance(milliseconds);
  await app.scheduler.tick();
  await app.deliver();
}

const emailsTo = (person: TestPerson) =>
  app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, person.email))
    .orderBy(desc(outboxMessages.at));

const ask = ({ ride, request }: AccessFixture) => ({ rideId: ride.id, requestId: request.id, message: '' });

test('a push reaches the device encrypted, opens the right page, and an ended subscription is forgotten', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  expect(
    await app.call(driver, connectDevice, { ...sink.subscription, endpoint: 'http://127.0.0.1:1/x' }),
  ).toMatchObject({ code: 422, reason: 'notification.pushService' });
  expect(await app.ok(driver, connectDevice, sink.subscription)).toEqual({ devices: 1 });
  const { push } = await app.ok(driver, readSettings, {});
  expect(push).toMatchObject({ devices: 1, publicKey: expect.stringMatching(/^[\w-]{87}$/) });

  await app.ok(passenger, askToJoin, ask(fixture));
  await pass(4000);
  expect(sink.received).toHaveLength(1);
  expect(sink.received[0]).toMatchObject({
    message: {
      title: 'Passenger wants to join your ride',
      tag: `order:${fixture.ride.id}`,
      path: `/pages/order/detail?id=${fixture.ride.id}`,
      language: 'en',
      unread: 1,
    },
    vapid: expect.stringContaining(`k=${push.publicKey}`),
  });
  // A push message that has left makes the email superfluous.
  await pass(hourMs);
  expect(await emailsTo(driver)).toEqual([]);
  expect(sink.received).toHaveLength(1);

  sink.answer = 410;
  await app.platform.outbox.emit(
    app.platform.db,
    'payment.captured',
    {
      authorizationId: randomUUID(),
      bookingId: randomUUID(),
      requestId: fixture.request.id,
      passengerId: passenger.id,
      driverId: driver.id,
      rideId: fixture.ride.id,
      amountCents: 1250,
    },
    fixture.ride.id,
  );
  await pass(4000);
  sink.answer = 201;
  expect((await app.ok(driver, readSettings, {})).push.devices).toBe(0);
  const { news } = await app.ok(passenger, listNews, { language: 'zh' });
  expect(news[0]).toMatchObject({ kind: 'receipt', title: '收据：您已支付行程费用 $12.50', read: false });
});

test('what was read on one device, or shown live, goes nowhere; a sign-out ends the device', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, saveSettings, agreed);
  await app.ok(driver, connectDevice, sink.subscription);
  const before = sink.received.length;
  await app.ok(passenger, askToJoin, ask(fixture));
  await app.deliver();
  expect(await app.ok(driver, countNews, {})).toEqual({ unread: 1 });
  const path = `/pages/order/detail?id=${fixture.ride.id}`;
  expect(await app.ok(passenger, readNews, { path })).toEqual({ unread: 0 });
  expect(await app.ok(driver, readNews, { path })).toEqual({ unread: 0 });
  await pass(3 * minuteMs);
  expect([sink.received.length - before, await emailsTo(driver)]).toEqual([0, []]);

  await app.ok(fixture.people.stranger, applyForContact, { id: driver.id });
  await app.deliver();
  const [applied] = (await app.ok(driver, listNews, {})).news;
  expect(applied).toMatchObject({ kind: 'contact', title: 'Stranger wants to add you as a contact' });
  await app.ok(driver, seeNews, { ids: [applied!.id] });
  await pass(3 * minuteMs);
  expect([sink.received.length - before, await emailsTo(driver)]).toEqual([0, []]);
  expect(await app.ok(driver, countNews, {})).toEqual({ unread: 1 });

  await app.platform.outbox.emit(
    app.platform.db,
    'payment.needed',
    {
      authorizationId: randomUUID(),
      bookingId: randomUUID(),
      requestId: fixture.request.id,
      passengerId: driver.id,
      driverId: driver.id,
      rideId: fixture.ride.id,
      need: 'card',
      isPresent: true,
    },
    fixture.ride.id,
  );
  await app.ok(driver, logout, {});
  await pass(4000);
  expect(sink.received.length - before).toBe(0);
});

test('several messages are one line, told once they have been left unread', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await app.ok(passenger, saveSettings, agreed);
  await app.ok(passenger, connectDevice, sink.subscription);
  await pass(minuteMs);
  const before = sink.received.length;
  const say = (text: string) =>
    app.ok(driver, sendMessage, { roomid: fixture.ride.id, clientId: randomUUID(), text });
  const path = `/pages/chat/message?roomid=${fixture.ride.id}`;
  const lines = async () =>
    (await app.ok(passenger, listNews, {})).news.filter(({ kind }) => kind === 'chat');

  await say('I am a little late');
  await say('Five minutes');
  await pass(20_000);
  await pass(4000);
  expect(await lines()).toMatchObject([{ title: '2 new messages from Driver', text: '', path, read: false }]);
  expect(sink.received.slice(before).map(({ message }) => message.tag)).toEqual([`room:${fixture.ride.id}`]);

  await say('Now I come');
  await pass(20_000);
  await pass(4000);
  expect((await lines()).map(({ title }) => title)).toEqual(['3 new messages from Driver']);
  expect(sink.received).toHaveLength(before + 2);

  // Marked as read in the center, the room itself unread: the next message notifies again.
  await app.ok(passenger, readNews, { all: true });
  await say('Nearly there');
  await pass(20_000);
  expect(await lines()).toMatchObject([{ title: '4 new messages from Driver', read: false }]);

  // Read in the room: the notification is read, too, and no email is sent.
  await app.ok(passenger, markRead, { roomid: fixture.ride.id, seq: 100 });
  await pass(11 * minuteMs);
  expect((await lines()).map(({ read }) => read)).toEqual([true]);
  expect((await emailsTo(passenger)).filter(({ subject }) => subject.includes('message'))).toEqual([]);

  await say('Are you there?');
  await pass(20_000);
  await pass(11 * minuteMs);
  const [letter] = await emailsTo(passenger);
  expect(letter).toMatchObject({ subject: 'New message from Driver' });
  expect(letter!.body).not.toContain('Are you there?');
});

test('reminders come the evening before and an hour before, in Chinese and by the clocks of the place, once', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  // Two in the morning to nine: the ride departs in these quiet hours, so the last reminder is sent anyway.
  const departs = new Date(fixture.ride.departsAt);
  const zone = { timeZone: 'America/Los_Angeles' };
  const night = { on: true, from: '00:00', to: '23:59', ...zone };
  await app.ok(passenger, saveSettings, { ...agreed, quietHours: { ...night, on: false } });
  await app.ok(driver, saveSettings, { ...agreed, quietHours: night });
  await app.platform.db.update(users).set({ language: 'zh' }).where(eq(users.id, passenger.id));
  const reminders = async (person: TestPerson) =>
    (await emailsTo(person)).filter(({ subject }) => /将于|leaves/.test(subject));

  const evening = new Date(departs);
  evening.setTime(Date.parse(`${departs.toLocaleDateString('sv-SE', zone)}T03:01:00Z`));
  expect(evening.getTime()).toBeLessThan(departs.getTime());
  app.clock.moveTo(evening);
  await app.scheduler.tick();
  await pass(3 * minuteMs);
  await pass(3 * minuteMs);
  const [first, ...more] = await reminders(passenger);
  expect(more).toEqual([]);
  const time = timeOfDay(departs.toISOString(), zone.timeZone, 'en');
  expect(first!.subject).toMatch(/^您的行程将于11月\d+日 周. \d\d:\d\d（GMT-8）出发$/);
  expect(first!.body).toContain('查看行程');
  expect(first!.page).toContain('<html lang="zh-CN">');
  expect(await reminders(driver)).toEqual([]);

  app.clock.moveTo(new Date(departs.getTime() - 50 * minuteMs));
  await app.scheduler.tick();
  await pass(3 * minuteMs);
  await pass(3 * minuteMs);
  expect((await reminders(passenger)).map(({ subject }) => subject.startsWith('即将出发'))).toEqual([
    true,
    false,
  ]);
  // In the driver's quiet hours nothing is sent until waiting would be too late.
  expect((await reminders(driver)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(new RegExp(`^Coming up: your ride leaves .*, ${time} PST$`)),
  ]);
});

test('a notice that cannot be sent holds up no other, and is tried again', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, saveSettings, agreed);
  await app.ok(passenger, askToJoin, ask(fixture));
  await app.deliver();
  // Facts that fit no text, as in a damaged row.
  const broken = await app.platform.db
    .update(newsTable)
    .set({ word: 'paymentNeeded', kind: 'paymentNeeded', facts: { bookingId: 'none' } })
    .where(eq(newsTable.userId, driver.id))
    .returning();
  expect(broken).toHaveLength(1);
  const kinds = { ...agreed.kinds, contact: { push: true, email: true, sms: false } };
  await app.ok(driver, saveSettings, { ...agreed, kinds });
  await app.ok(fixture.people.stranger, applyForContact, { id: driver.id });
  await pass(3 * minuteMs);
  expect((await emailsTo(driver)).map(({ subject }) => subject)).toEqual([
    'Stranger wants to add you as a contact',
  ]);
  await app.platform.db
    .update(newsTable)
    .set({ word: 'asked', kind: 'ask', facts: {} })
    .where(eq(newsTable.id, broken[0]!.id));
  await pass(6 * minuteMs);
  expect(await emailsTo(driver)).toHaveLength(2);
});

test('the link in an email ends its kind without signing in, by hand or by the mail program', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, saveSettings, agreed);
  await app.ok(passenger, askToJoin, ask(fixture));
  await pass(3 * minuteMs);
  const [letter] = await emailsTo(driver);
  const link = new URL(/https:\/\/sameway\.example\/pages\/account\/unsubscribe\S+/.exec(letter!.body)![0]);
  const [kind, code] = [link.searchParams.get('kind'), link.searchParams.get('code')!];
  expect(kind).toBe('ask');
  const emails = async () => (await app.ok(driver, readSettings, {})).choices.kinds;

  const forged = await app.call(null, unsubscribe, { kind: 'change', code });
  expect(forged).toMatchObject({ code: 404, reason: 'notification.linkOver' });
  await app.ok(null, unsubscribe, { kind: 'ask', code });
  expect(await emails()).toMatchObject({ ask: { email: false, push: true }, change: { email: true } });

  await app.ok(driver, saveSettings, agreed);
  const oneClick = await app.http.inject({
    method: 'POST',
    url: `/notification/one-click${link.search}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  expect(oneClick.statusCode).toBe(200);
  expect((await emails()).ask.email).toBe(false);
  const wrong = await app.http.inject({
    method: 'POST',
    url: `/notification/one-click?kind=ask&code=x`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
  expect(wrong.statusCode).toBe(404);
});

test('what cannot be delivered is tried again, then shown to admins, who send it once more', async () => {
  const { people } = await openAccessFixture(app, 'people');
  const { admin } = people;
  sink.answer = 503;
  await app.platform.outbox.text(app.platform.db, {
    to: '+14155550132',
    text: 'Your code is 123456.',
    secrets: ['123456'],
  });
  const waiting = () =>
    app.pool.query<{ id: string; attempts: number }>(
      `select id, attempts, last_error from graphile_worker.jobs where task_identifier = 'text'`,
    );
  await app.deliver();
  // The pauses between the tries grow to hours; here each try runs at once.
  for (let left = (await waiting()).rows; left.length > 0; left = (await waiting()).rows) {
    expect(left[0]!.attempts, JSON.stringify(left)).toBeLessThan(20);
    await app.pool.query(
      `select graphile_worker.reschedule_jobs($1::bigint[], run_at => now() - interval '1 second')`,
      [left.map(({ id }) => id)],
    );
    await app.deliver();
  }
  const [lost] = (await app.ok(admin, listUndelivered, {})).undelivered;
  expect(lost).toMatchObject({
    task: 'text',
    to: '+14155550132',
    // Only the recipient may see a code.
    what: 'Your code is ••••.',
    error: expect.stringContaining('503'),
    attempts: expect.any(Number),
  });
  sink.answer = 200;
  await app.ok(admin, deliverAgain, { id: lost!.id });
  await app.deliver();
  expect((await app.ok(admin, listUndelivered, {})).total).toBe(0);
  expect((await waiting()).rows).toEqual([]);
  expect(await app.call(admin, deliverAgain, { id: lost!.id })).toMatchObject({ code: 404 });
  sink.answer = 201;
});

test('an event that changes is news to those who go there, a ride that departs to those who wait for it', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  const eventId = await eventOf(fixture);
  const [event] = await app.platform.db.select().from(events).where(eq(events.id, eventId));
  await app.platform.outbox.emit(
    app.platform.db,
    'event.changed',
    {
      eventId,
      organizerId: driver.id,
      travellers: [{ personId: passenger.id, kind: 'request', orderId: fixture.request.id }],
      what: 'moved',
    },
    eventId,
  );
  await carryOn(fixture, 'joined', 'departed');
  const { news } = await app.ok(passenger, listNews, {});
  const titles = news.map(({ title }) => title);
  expect(news).toContainEqual(
    expect.objectContaining({
      kind: 'event',
      title: 'Driver changed the time or place of an event you’re riding to',
      text: event!.name,
      path: `/pages/events/events?id=${eventId}`,
    }),
  );
  expect(news).toContainEqual(
    expect.objectContaining({
      kind: 'onTheWay',
      title: 'Driver is on the way to you',
      path: `/pages/order/ride?id=${fixture.ride.id}`,
    }),
  );
  expect(titles.filter((title) => title.includes('on the way'))).toHaveLength(1);
});
