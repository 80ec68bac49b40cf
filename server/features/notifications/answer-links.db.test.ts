import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connectDevice,
  answerQuestion,
  readQuestion,
  saveSettings,
  firstChoices,
} from '#contract/notifications/endpoints.ts';
import { askToJoin, invite, orderDetail, withdraw } from '#contract/rides/endpoints.ts';
import { hourMs, minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { bookings } from '../../schema/rides.ts';
import { users } from '../../schema/identity.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openPushSink, type PushSink } from '../../testing/push-sink.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

let app: TestApp;
let sink: PushSink;
beforeAll(async () => {
  sink = await openPushSink();
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { PUSH_SERVICES: sink.origin, PUBLIC_URL: 'https://sameway.example' },
  });
});
afterAll(async () => {
  await app.close();
  sink.close();
});

async function pass(milliseconds: number): Promise<void> {
  await app.deliver();
  app.clock.advance(milliseconds);
  await app.scheduler.tick();
  await app.deliver();
}

const emailsTo = (person: TestPerson) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, person.email));

const ids = ({ ride, request }: AccessFixture) => ({ rideId: ride.id, requestId: request.id, message: '' });

/** The code of the answer links in an email, and how many links there are. */
function codeIn(body: string): string {
  const codes = [...body.matchAll(/\/pages\/order\/answer\?code=([\w-]+)/g)].map(([, code]) => code!);
  expect(new Set(codes).size).toBe(1);
  expect(codes).toHaveLength(2);
  return codes[0]!;
}

const bookingOf = async (fixture: AccessFixture) =>
  (await app.platform.db.select().from(bookings).where(eq(bookings.requestId, fixture.request.id)))[0]!;

test('a driver who never opened the settings accepts from the email, once, without signing in', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(passenger, askToJoin, ids(fixture));
  await pass(3 * minuteMs);
  const [email, ...others] = await emailsTo(driver);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ subject: 'Passenger wants to join your ride' });
  const code = codeIn(email!.body);

  // Mail programs and scanners open links: that answers nothing.
  const question = await app.ok(null, readQuestion, { code });
  expect(question).toMatchObject({
    answer: { to: 'ask', state: 'open', name: 'Passenger' },
    asker: { name: 'Passenger' },
    order: { from: fixture.ride.from.name, to: fixture.ride.to.name, departsAt: fixture.ride.departsAt },
  });
  expect((await bookingOf(fixture)).state).toBe('requesting');

  const forged = `${code.slice(0, -2)}${code.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const wrong of [forged, 'made-up'])
    expect(await app.call(null, answerQuestion, { code: wrong, accept: true })).toMatchObject({
      code: 404,
      reason: 'question.notFound',
    });
  const { question: after } = await app.ok(null, answerQuestion, { code, accept: true });
  expect(after.answer.state).toBe('accepted');
  expect((await bookingOf(fixture)).state).toBe('joined');
  expect(await app.call(null, answerQuestion, { code, accept: false, reason: 'No' })).toMatchObject({
    code: 409,
    reason: 'question.given',
  });
  await pass(3 * minuteMs);
  expect((await emailsTo(passenger)).map(({ subject }) => subject)).toEqual(['Driver accepted your request']);
});

test('declining by the link needs a reason, as in the app', async () => {
  const fixture = await openAccessFixture(app, 'published');
  await app.ok(fixture.people.passenger, askToJoin, ids(fixture));
  await pass(3 * minuteMs);
  const code = codeIn((await emailsTo(fixture.people.driver))[0]!.body);
  expect(await app.call(null, answerQuestion, { code, accept: false })).toMatchObject({
    code: 422,
    reason: 'booking.reasonMissing',
  });
  await app.ok(null, answerQuestion, { code, accept: false, reason: 'Too far' });
  expect(await bookingOf(fixture)).toMatchObject({ state: 'rejected', reason: 'Too far' });
});

test('an invitation is answered from the email, and a link that is over says so', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, invite, ids(fixture));
  await pass(3 * minuteMs);
  const [email] = await emailsTo(passenger);
  expect(email).toMatchObject({ subject: 'Driver invited you to a ride' });
  const code = codeIn(email!.body);

  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, passenger.id));
  expect(await app.call(null, readQuestion, { code })).toMatchObject({ reason: 'question.notFound' });
  await app.platform.db.update(users).set({ suspendedAt: null }).where(eq(users.id, passenger.id));

  app.clock.advance(25 * hourMs);
  expect(await app.call(null, answerQuestion, { code, accept: true })).toMatchObject({
    code: 409,
    reason: 'question.over',
  });
  expect(await app.ok(null, readQuestion, { code })).toMatchObject({ answer: { state: 'over' } });
});

test('what was answered or withdrawn before its email was due is not sent', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver, passenger } = fixture.people;
  await app.ok(passenger, withdraw, { bookingId: fixture.bookingId });
  await pass(3 * minuteMs);
  expect(await emailsTo(driver)).toEqual([]);
});

test('a push message that left makes the email superfluous; one that no device took does not', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, connectDevice, sink.subscription);
  await app.ok(passenger, askToJoin, ids(fixture));
  await pass(4000);
  await pass(3 * minuteMs);
  expect(sink.received).toHaveLength(1);
  expect(await emailsTo(driver)).toEqual([]);

  await app.ok(passenger, withdraw, { bookingId: (await bookingOf(fixture)).id });
  sink.answer = 410;
  await app.ok(passenger, askToJoin, ids(fixture));
  await pass(4000);
  await pass(3 * minuteMs);
  sink.answer = 201;
  expect(await emailsTo(driver)).toHaveLength(1);
});

test('at the end of quiet hours, too, a push message that left makes the email superfluous', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  const at = (hours: number) =>
    new Date(app.clock.now().getTime() + hours * hourMs).toISOString().slice(11, 16);
  const quietHours = { on: true, from: at(-1), to: at(1), timeZone: 'UTC' };
  await app.ok(driver, saveSettings, { ...firstChoices, quietHours });
  await app.ok(driver, connectDevice, sink.subscription);
  await app.ok(passenger, askToJoin, ids(fixture));
  const before = sink.received.length;
  await pass(hourMs + minuteMs);
  await pass(5 * minuteMs);
  expect(sink.received.length - before).toBe(1);
  expect(await emailsTo(driver)).toEqual([]);
});

test('a person who chose both in the settings gets both', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, saveSettings, { ...firstChoices, emailsBesidePush: true });
  await app.ok(driver, connectDevice, sink.subscription);
  await app.ok(passenger, askToJoin, ids(fixture));
  const before = sink.received.length;
  await pass(4000);
  await pass(3 * minuteMs);
  expect(sink.received.length - before).toBe(1);
  expect(await emailsTo(driver)).toHaveLength(1);
});

test('the time to answer counts from when the message left, at the end of quiet hours too', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  const at = (hours: number) =>
    new Date(app.clock.now().getTime() + hours * hourMs).toISOString().slice(11, 16);
  const quietHours = { on: true, from: at(-1), to: at(4), timeZone: 'UTC' };
  await app.ok(driver, saveSettings, { ...firstChoices, quietHours });
  const askedAt = app.clock.now();
  await app.ok(passenger, askToJoin, ids(fixture));
  await pass(3 * hourMs + minuteMs);
  expect(await bookingOf(fixture)).toMatchObject({ state: 'requesting' });
  expect(await emailsTo(driver)).toEqual([]);
  await pass(hourMs);
  expect(await emailsTo(driver)).toHaveLength(1);
  const { expiresAt } = await bookingOf(fixture);
  expect(expiresAt!.getTime()).toBeGreaterThanOrEqual(askedAt.getTime() + 7 * hourMs - minuteMs);
  const { order } = await app.ok(passenger, orderDetail, { id: fixture.request.id });
  expect(order.bookings[0]!.expiresAt).toBe(expiresAt!.toISOString());
  await pass(3 * hourMs + minuteMs);
  expect(await bookingOf(fixture)).toMatchObject({ state: 'expired' });
});

test('requests that come together are one email, each with its own answer', async () => {
  const [dora, person, other] = [await app.person('Dora'), await app.person('Pia'), await app.person('Otto')];
  const ride = await publishRide(app, dora, { visibility: 'all users' as const });
  const requests = [
    { person, id: (await publishRequest(app, person, {})).id },
    { person: other, id: (await publishRequest(app, other, {})).id },
  ];
  for (const each of requests) {
    await app.ok(each.person, askToJoin, { rideId: ride.id, requestId: each.id, message: '' });
    await pass(minuteMs);
  }
  await pass(minuteMs);
  const [email, ...more] = await emailsTo(dora);
  expect(more).toEqual([]);
  expect(email!.subject).toBe('Pia wants to join your ride, and 1 more');
  expect(email!.body).toContain('Otto wants to join your ride');
  expect(new Set(email!.body.match(/answer\?code=[\w-]+/g))).toHaveProperty('size', 2);
});
