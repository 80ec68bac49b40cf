import { and, eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { firstChoices, saveSettings } from '#contract/notifications/endpoints.ts';
import { askToJoin, reach } from '#contract/rides/endpoints.ts';
import { hourMs, minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { notifications } from '../../schema/notifications.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp, type TestPerson } from '../../testing/test-app.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

const agreed = { ...firstChoices, agreed: true };
const isAtPickup = (subject: string) => subject.includes('is at your pick-up point');
const emailsTo = async ({ email }: TestPerson) =>
  (await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email))).map(
    ({ subject }) => subject,
  );
const newsOf = async ({ id }: TestPerson, word: string) =>
  app.platform.db.$count(notifications, and(eq(notifications.userId, id), eq(notifications.word, word)));

test.each([
  ['ten hours late', 10 * hourMs, false],
  ['three minutes late', 3 * minuteMs, true],
])('that the driver is there is sent %s: %s', async (_name, lateMs, isSent) => {
  const fixture = await openAccessFixture(app, 'departed');
  const { driver, passenger } = fixture.people;
  const email = { push: true, email: true, sms: false };
  await app.ok(passenger, saveSettings, { ...agreed, kinds: { ...agreed.kinds, reached: email } });
  await app.ok(driver, reach, { id: fixture.ride.id, bookingId: fixture.bookingId, reason: 'It is here' });
  await app.deliver();
  await app.beAway(lateMs);
  await app.scheduler.tick();
  await app.deliver();
  expect((await emailsTo(passenger)).some(isAtPickup)).toBe(isSent);
  expect(await newsOf(passenger, 'reached')).toBe(1);
});

test('a signal that is heard ten hours late is written down and sent to nobody', async () => {
  const fixture = await openAccessFixture(app, 'departed');
  const { driver, passenger } = fixture.people;
  const email = { push: true, email: true, sms: false };
  await app.ok(passenger, saveSettings, { ...agreed, kinds: { ...agreed.kinds, reached: email } });
  await app.ok(driver, reach, { id: fixture.ride.id, bookingId: fixture.bookingId, reason: 'It is here' });
  await app.beAway(10 * hourMs);
  await app.deliver();
  app.clock.advance(3 * minuteMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await newsOf(passenger, 'reached')).toBe(1);
  expect((await emailsTo(passenger)).some(isAtPickup)).toBe(false);
});

/** A driver who wants an email about an ask, and has just been asked. */
async function askedDriver(): Promise<TestPerson> {
  const { ride, request, people } = await openAccessFixture(app, 'published');
  const { driver, passenger } = people;
  const email = { push: true, email: true, sms: false };
  await app.ok(driver, saveSettings, { ...agreed, kinds: { ...agreed.kinds, ask: email } });
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.deliver();
  return driver;
}

test.each([
  ['an hour late', hourMs, true],
  ['when the ride is over', 30 * hourMs, false],
])('that a passenger asks to join is sent %s: %s', async (_name, lateMs, isSent) => {
  const driver = await askedDriver();
  await app.beAway(lateMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await newsOf(driver, 'asked')).toBe(1);
  expect((await emailsTo(driver)).some((subject) => subject.includes('wants to join'))).toBe(isSent);
});

test('the queue drops an email about an ask once the ride is over', async () => {
  const driver = await askedDriver();
  app.clock.advance(3 * minuteMs);
  await app.scheduler.tick();
  await app.beAway(30 * hourMs);
  await app.deliver();
  expect((await emailsTo(driver)).filter((subject) => subject.includes('wants to join'))).toEqual([]);
});

test('a message written just before five hours without a server is told after them', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await app.scheduler.tick();
  const said = { roomid: fixture.ride.id, clientId: crypto.randomUUID(), text: 'See you at the corner' };
  await app.ok(passenger, sendMessage, said);
  await app.beAway(5 * hourMs);
  await app.scheduler.tick();
  expect(await newsOf(driver, 'messages')).toBe(1);
  await app.beAway(5 * hourMs);
  await app.scheduler.tick();
  expect(await newsOf(driver, 'messages')).toBe(1);
});

test('messages written hours apart, with nothing between them, are each told', async () => {
  const fixtures = [await openAccessFixture(app, 'joined'), await openAccessFixture(app, 'joined')];
  await app.scheduler.tick();
  for (const { people, ride } of fixtures) {
    const said = { roomid: ride.id, clientId: crypto.randomUUID(), text: 'See you at the corner' };
    await app.ok(people.passenger, sendMessage, said);
    app.clock.advance(3 * hourMs);
  }
  await app.scheduler.tick();
  for (const { people } of fixtures) expect(await newsOf(people.driver, 'messages')).toBe(1);
});
