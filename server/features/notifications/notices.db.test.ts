import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAddress } from '#contract/geo/endpoints.ts';
import {
  firstChoices,
  listNews,
  readSettings,
  saveSettings,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { legalVersion } from '#contract/privacy/endpoints.ts';
import {
  accept,
  answerChange,
  askToJoin,
  cancelOrder,
  invite,
  proposeChange,
  reach,
  reject,
  withdraw,
} from '#contract/rides/endpoints.ts';
import { createSeries } from '#contract/rides/recurring.ts';
import type { Ride } from '#contract/rides/views.ts';
import { minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { shortcuts } from '../../schema/geo.ts';
import { consents, users } from '../../schema/identity.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { plannedRecurring } from '../../testing/access-records.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { refusedFields } from '../../testing/envelopes.ts';

let app: TestApp;
beforeAll(async () => {
  // Nine in the morning in California.
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const agreed: NotificationChoices = { ...firstChoices, agreed: true };

/**
 * The notification emails to a person. Leaves out the one about a lost place, which is no notification: all
 * people get it, at once, as with a license decision.
 */
async function emailsTo(person: TestPerson): Promise<string[]> {
  await app.deliver();
  // An email waits for two minutes: a person with the app open sees the notification there.
  app.clock.advance(2 * minuteMs + 1001);
  await app.scheduler.tick();
  await app.deliver();
  const rows = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, person.email))
    .orderBy(desc(outboxMessages.at));
  return rows.map(({ subject }) => subject).filter((subject) => !subject.includes('can’t make it'));
}

test('emails leave until a person says no, text messages need a yes, and each word is recorded with its version', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver } = fixture.people;
  expect(await emailsTo(driver)).toEqual(['Passenger wants to join your ride']);
  expect(await app.ok(driver, readSettings, {})).toMatchObject({ choices: firstChoices, consent: null });
  await app.ok(driver, saveSettings, agreed);
  await app.ok(driver, saveSettings, { ...agreed, quietHours: { ...agreed.quietHours, on: true } });
  expect((await app.ok(driver, readSettings, {})).consent).toBeNull();
  const kinds = { ...agreed.kinds, ask: { push: true, email: true, sms: true } };
  await app.ok(driver, saveSettings, { ...agreed, kinds });
  await app.ok(driver, saveSettings, { ...agreed, kinds, agreed: false });
  const { consent } = await app.ok(driver, readSettings, {});
  expect(consent).toMatchObject({ given: false, version: legalVersion });
  const words = await app.platform.db.select().from(consents).where(eq(consents.userId, driver.id));
  expect(words.map(({ document, given }) => `${document} ${String(given)}`)).toEqual([
    'optin true',
    'optin false',
  ]);
});

test('each side hears of what the other did, once, in their language and with a link', async () => {
  const fixture = await openAccessFixture(app, 'published');
  const { driver, passenger } = fixture.people;
  for (const person of [driver, passenger]) await app.ok(person, saveSettings, agreed);
  await app.platform.db.update(users).set({ language: 'zh' }).where(eq(users.id, passenger.id));
  const { order } = await app.ok(passenger, askToJoin, {
    rideId: fixture.ride.id,
    requestId: fixture.request.id,
    message: '',
  });
  expect(await emailsTo(driver)).toEqual(['Passenger wants to join your ride']);
  expect(await emailsTo(driver)).toHaveLength(1);
  await app.ok(driver, reject, { bookingId: order.bookings[0]!.id, reason: 'Full' });
  expect(await emailsTo(passenger)).toEqual(['Driver 这次无法带您同行']);
  const [letter] = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, passenger.email));
  expect(letter?.body).toContain(`/pages/order/detail?id=${fixture.request.id}`);
  expect(letter?.body).toContain('GMT-8');
});

test('a change is one piece of news: it names the route and the price, is answered in its place, and then says that it applies', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await app.ok(passenger, saveSettings, agreed);
  await onboard(app, driver);
  await addCard(app, passenger);
  const changes = async (person: TestPerson) =>
    (await app.ok(person, listNews, {})).news.filter(({ kind }) => kind === 'change');
  const departsAt = new Date(Date.parse(fixture.ride.departsAt) + 10 * minuteMs).toISOString();
  const { order } = await app.ok(driver, proposeChange, { id: fixture.ride.id, departsAt, costCents: 600 });
  const changeId = (order as Ride).change!.id;
  const letters = await emailsTo(passenger);
  expect(letters[0]).toBe('Driver proposed a change to your ride');
  const [letter] = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, passenger.email))
    .orderBy(desc(outboxMessages.at));
  const named = /^Pacific Avenue → Capitola Village · .+ \(was .+\) · \$6 \(was Free\)/m;
  expect(letter?.body).toMatch(/ · \$6\n {2}Pacific Avenue → Capitola Village\n {2}Before: .+ · Free\n/);
  expect(letter?.body).toContain('/pages/order/answer?code=');
  const [proposed, ...others] = await changes(passenger);
  expect(others).toEqual([]);
  expect(proposed).toMatchObject({
    title: 'Driver proposed a change to your ride',
    text: expect.stringMatching(named),
    answer: { to: 'change', id: changeId, state: 'open' },
    read: false,
  });
  expect(await changes(driver)).toEqual([]);

  await app.ok(passenger, answerChange, { changeId, accept: true });
  await app.deliver();
  // The passenger answered last, so the result causes no notification for them.
  expect(await changes(passenger)).toEqual([
    expect.objectContaining({
      id: proposed!.id,
      title: 'Your ride changed as proposed',
      text: expect.stringMatching(/^Pacific Avenue → Capitola Village · .+ · \$6$/),
      answer: null,
      read: true,
    }),
  ]);
  expect(await emailsTo(passenger)).toEqual(letters);
  expect(await changes(driver)).toEqual([
    expect.objectContaining({
      title: 'Your ride changed as proposed',
      text: expect.stringMatching(/^Mission Street → Aptos Village · .+ · \$6 per person$/),
      read: false,
    }),
  ]);

  const next = new Date(Date.parse(departsAt) + 10 * minuteMs).toISOString();
  await app.ok(driver, proposeChange, { id: fixture.ride.id, departsAt: next, costCents: 600 });
  await app.deliver();
  const [open] = await changes(passenger);
  expect(open).toMatchObject({ answer: { state: 'open' } });
  await app.ok(passenger, answerChange, { changeId: open!.answer!.id, accept: false });
  await app.deliver();
  expect((await changes(passenger))[0]).toMatchObject({ id: open!.id, answer: { state: 'declined' } });
});

test('an ask and an invitation are answered in their line, which says how that stands', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver, passenger, contact } = fixture.people;
  const lineOf = async (person: TestPerson, kind: string) =>
    (await app.ok(person, listNews, {})).news.find((line) => line.kind === kind)!;
  expect(await lineOf(driver, 'ask')).toMatchObject({
    text: expect.stringMatching(/^Mission Street → Aptos Village · .+ · Free$/),
    answer: { to: 'ask', id: fixture.bookingId, state: 'open', holdCents: 0 },
  });
  await app.ok(driver, reject, { bookingId: fixture.bookingId, reason: 'Full' });
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'declined' });

  const request = await publishRequest(app, contact);
  const invited = await app.ok(driver, invite, { rideId: fixture.ride.id, requestId: request.id });
  await app.deliver();
  const bookingId = invited.order.bookings.find(({ requestId }) => requestId === request.id)!.id;
  expect(await lineOf(contact, 'invitation')).toMatchObject({
    text: expect.stringMatching(/^Pacific Avenue → Capitola Village · .+ · Free$/),
    answer: { to: 'invitation', id: bookingId, state: 'open' },
  });
  await app.ok(contact, accept, { bookingId });
  expect((await lineOf(contact, 'invitation')).answer).toMatchObject({ state: 'accepted' });

  // A withdrawn ask can no longer be answered.
  await app.ok(passenger, cancelOrder, { id: fixture.request.id });
  const other = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: fixture.ride.id, requestId: other.id });
  await app.deliver();
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'open' });
  await app.ok(passenger, withdraw, { bookingId: asked.order.bookings[0]!.id });
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'over' });
});

test('a kind that is switched off, or agreement taken back before it went out, sends nothing', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver, passenger } = fixture.people;
  const kinds = { ...agreed.kinds, answer: { push: true, email: false, sms: false } };
  await app.ok(passenger, saveSettings, { ...agreed, kinds });
  await app.ok(driver, reject, { bookingId: fixture.bookingId, reason: 'Full' });
  expect(await emailsTo(passenger)).toEqual([]);

  const other = await openAccessFixture(app, 'asked');
  await app.ok(other.people.passenger, saveSettings, agreed);
  await app.ok(other.people.driver, reject, { bookingId: other.bookingId, reason: 'Full' });
  await app.deliver();
  await app.ok(other.people.passenger, saveSettings, { ...agreed, agreed: false });
  expect(await emailsTo(other.people.passenger)).toEqual([]);

  const late = await openAccessFixture(app, 'joined');
  await app.ok(late.people.passenger, saveSettings, agreed);
  await app.ok(late.people.driver, cancelOrder, { id: late.ride.id, reason: 'Flat tyre' });
  await app.deliver();
  await app.ok(late.people.passenger, saveSettings, { ...agreed, kinds });
  expect(await emailsTo(late.people.passenger)).toEqual([]);
});

test('a ride that is lost is told once: by the email with other rides', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  await app.ok(driver, cancelOrder, { id: fixture.ride.id, reason: 'Flat tire' });
  // That the driver accepted is past too.
  expect(await emailsTo(passenger)).toEqual([]);
  const subjects = (
    await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, passenger.email))
  ).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes('can’t make it'))).toHaveLength(1);
});

test('quiet hours hold news back until they end', async () => {
  const fixture = await openAccessFixture(app, 'asked');
  const { driver, passenger } = fixture.people;
  const now = app.clock.now();
  const timeIn = (minutes: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/Los_Angeles',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(now.getTime() + minutes * minuteMs);
  const quietHours = { on: true, from: timeIn(-60), to: timeIn(60), timeZone: 'America/Los_Angeles' };
  await app.ok(passenger, saveSettings, { ...agreed, quietHours });
  await app.ok(driver, reject, { bookingId: fixture.bookingId, reason: 'Full' });
  expect(await emailsTo(passenger)).toEqual([]);
  app.clock.advance(61 * minuteMs);
  expect(await emailsTo(passenger)).toEqual(['Driver can’t take you this time']);
});

test('text messages need a verified phone, and go there', async () => {
  const kinds = { ...agreed.kinds, reached: { push: true, email: false, sms: true } };
  const without = await app.person('Without');
  const more = { ...kinds, ask: { push: true, email: true, sms: true } };
  expect(await app.call(without, saveSettings, { ...agreed, kinds: more })).toMatchObject({
    code: 422,
    reason: 'notification.phoneUnverified',
    data: { fields: { kinds: expect.any(String) } },
  });
  const fixture = await openAccessFixture(app, 'departed');
  const { passenger } = fixture.people;
  await app.ok(passenger, saveSettings, { ...agreed, kinds });
  await app.ok(fixture.people.driver, reach, {
    id: fixture.ride.id,
    bookingId: fixture.bookingId,
    reason: 'It is here',
  });
  await emailsTo(passenger);
  const { phone } = await app.ok(passenger, readSettings, {});
  const texts = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, phone));
  expect(texts.map(({ body }) => body)).toEqual([expect.stringContaining('Driver is at your pick-up point')]);
});

test('new rides near home are news for those who want it and whom the circle reaches', async () => {
  const [near, far, unasked, owner] = [
    await app.person('Near'),
    await app.person('Far'),
    await app.person('Unasked'),
    await app.person('Owner'),
  ];
  const location = { ...agreed.location, nearHome: true, nearWork: true, withinMetres: 1_600 as const };
  const kinds = { ...agreed.kinds, nearby: { push: true, email: true, sms: false } };
  // A person with two places near the start gets one notification.
  await app.ok(near, createAddress, { ...spots.westside, label: 'home' });
  await app.ok(near, createAddress, { ...spots.westside, lon: spots.westside.lon + 0.002, label: 'work' });
  await app.ok(far, createAddress, { ...spots.aptos, label: 'home' });
  await app.ok(unasked, createAddress, { ...spots.westside, label: 'home' });
  for (const person of [near, far]) await app.ok(person, saveSettings, { ...agreed, kinds, location });
  await publishRide(app, owner, { visibility: 'private' });
  expect(await emailsTo(near)).toEqual([]);
  await publishRide(app, await app.person('Second'), {});
  expect(await emailsTo(near)).toEqual(['A new ride starts near one of your places']);
  expect([await emailsTo(far), await emailsTo(unasked)]).toEqual([[], []]);

  // A daily ride is published two weeks ahead at once, with one notification.
  const series = { series: plannedRecurring(app) };
  await app.ok(await app.person('Weekly'), createSeries, series);
  expect(await emailsTo(near)).toHaveLength(2);
});

test('what a person wants of a place follows its label and their settings, whichever is changed', async () => {
  const mia = await app.person('Mia');
  const told = async () => {
    const rows = await app.platform.db.select().from(shortcuts).where(eq(shortcuts.ownerId, mia.id));
    return rows.map(({ shownWithinMetres }) => shownWithinMetres);
  };
  const saved = (location: Partial<typeof agreed.location>) =>
    app.ok(mia, saveSettings, { ...agreed, location: { ...agreed.location, ...location } });
  await app.ok(mia, createAddress, { ...spots.westside, label: 'home' });
  expect(await told()).toEqual([null]);
  await saved({ nearHome: true, withinMetres: 1_600 });
  expect(await told()).toEqual([1_600]);
  const [home] = await app.platform.db.select().from(shortcuts).where(eq(shortcuts.ownerId, mia.id));
  await app.platform.db.update(shortcuts).set({ label: 'work' }).where(eq(shortcuts.id, home!.id));
  expect(await told()).toEqual([null]);
  await saved({ nearWork: true, withinMetres: 5_000 });
  expect(await told()).toEqual([5_000]);
  await app.ok(mia, createAddress, { ...spots.aptos, label: 'home' });
  expect(new Set(await told())).toEqual(new Set([5_000, null]));
  await saved({ nearHome: false, nearWork: false });
  expect(await told()).toEqual([null, null]);
});

test('people near a new order are looked for among the places of those who want to be told', async () => {
  const client = await app.pool.connect();
  try {
    await client.query(`
      set session_replication_role = replica;
      insert into shortcuts (id, owner_id, label, at_name, at_detail, at_lon, at_lat, shown_within_metres, created_at)
        select md5('place' || i)::uuid, md5('owner' || i)::uuid, 'home', '', '', -122.05 + i * 1e-6, 36.96,
          case when i % 100 = 0 then 1600 end, now() from generate_series(1, 20000) i;
      set session_replication_role = origin; analyze shortcuts`);
  } finally {
    client.release();
  }
  const texts = await statementsOf(async () => {
    await publishRide(app, await app.person('Third'), {});
    await app.deliver();
  });
  const text = texts.find((each) => /shortcuts s/.test(each))!;
  const { rows } = await app.platform.db.execute<{ 'QUERY PLAN': string }>(
    sql.raw(`explain (generic_plan) ${text}`),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/ using shortcuts_told/);
  // The nearest ones alone, however many there are.
  expect(plan).toMatch(/Order By: \(point\(at_lon, at_lat\) <-> /);
  // The database finds each neighbor by id, and compares none with all accounts that are to be deleted.
  expect(plan).not.toMatch(/Anti Join/);
});

test.each([
  [{ quietHours: { ...agreed.quietHours, from: '25:00' } }, 'quietHours.from'],
  [{ quietHours: { ...agreed.quietHours, timeZone: 'Mars/Olympus' } }, 'quietHours.timeZone'],
  [{ location: { ...agreed.location, withinMetres: 3 } }, 'location.withinMetres'],
  [{ kinds: {} }, 'kinds.ask'],
])('%j is refused by its field and changes nothing', async (wrong, field) => {
  const mia = await app.person('Mia');
  const answer = await app.callUnchecked(mia, saveSettings, { ...agreed, ...wrong });
  expect(answer).toMatchObject({ code: 422, reason: 'input.invalid' });
  expect(Object.keys(refusedFields(answer))).toContain(field);
  expect(await app.ok(mia, readSettings, {})).toMatchObject({ choices: firstChoices });
});
