import { desc, eq } from 'drizzle-orm';
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
import { createSeries } from '#contract/rides/series.ts';
import type { Ride } from '#contract/rides/views.ts';
import { minuteMs } from '../../platform/clock.ts';
import { outboxLetters } from '../../schema/house.ts';
import { consents, users } from '../../schema/identity.ts';
import { setStage } from '../../testing/access-stage.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { plannedSeries } from '../../testing/access-things.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';

let house: TestHouse;
beforeAll(async () => {
  // Nine in the morning in California.
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => house.close());

const agreed: NotificationChoices = { ...firstChoices, agreed: true };

/**
 * The news a person has been written. A letter about a lost place is no news: it goes to everybody, at once, as a
 * licence's decision does.
 */
async function lettersTo(person: TestPerson): Promise<string[]> {
  await house.deliver();
  // A letter waits for two minutes: whoever has the app open sees the news there.
  house.clock.advance(2 * minuteMs + 1001);
  await house.timers.tick();
  await house.deliver();
  const rows = await house.platform.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, person.email))
    .orderBy(desc(outboxLetters.at));
  return rows.map(({ subject }) => subject).filter((subject) => !subject.includes('is not coming'));
}

test('nothing leaves the app until somebody agrees, and each word on it is recorded with its version', async () => {
  const stage = await setStage(house, 'asked');
  const { driver } = stage.people;
  expect(await lettersTo(driver)).toEqual([]);
  expect(await house.ok(driver, readSettings, {})).toMatchObject({ choices: firstChoices, consent: null });
  await house.ok(driver, saveSettings, agreed);
  await house.ok(driver, saveSettings, { ...agreed, quietHours: { ...agreed.quietHours, on: true } });
  await house.ok(driver, saveSettings, { ...agreed, agreed: false });
  const { consent } = await house.ok(driver, readSettings, {});
  expect(consent).toMatchObject({ given: false, version: legalVersion });
  const words = await house.platform.db.select().from(consents).where(eq(consents.userId, driver.id));
  expect(words.map(({ document, given }) => `${document} ${String(given)}`)).toEqual([
    'optin true',
    'optin false',
  ]);
});

test('each side hears of what the other did, once, in their language and with a link', async () => {
  const stage = await setStage(house, 'published');
  const { driver, passenger } = stage.people;
  for (const person of [driver, passenger]) await house.ok(person, saveSettings, agreed);
  await house.platform.db.update(users).set({ language: 'zh' }).where(eq(users.id, passenger.id));
  const { order } = await house.ok(passenger, askToJoin, {
    rideId: stage.ride.id,
    requestId: stage.request.id,
    message: '',
  });
  expect(await lettersTo(driver)).toEqual(['Passenger asks to join your ride']);
  expect(await lettersTo(driver)).toHaveLength(1);
  await house.ok(driver, reject, { bookingId: order.bookings[0]!.id, reason: 'Full' });
  expect(await lettersTo(passenger)).toEqual(['Driver 未能接受您的请求']);
  const [letter] = await house.platform.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, passenger.email));
  expect(letter?.body).toContain(`/pages/order/detail?id=${stage.request.id}`);
  expect(letter?.body).toContain('GMT-8');
});

test('a change is one piece of news: it names the route and the price, is answered in its place, and then says that it applies', async () => {
  const stage = await setStage(house, 'joined');
  const { driver, passenger } = stage.people;
  await house.ok(passenger, saveSettings, agreed);
  await onboard(house, driver);
  await addCard(house, passenger);
  const changes = async (person: TestPerson) =>
    (await house.ok(person, listNews, {})).news.filter(({ kind }) => kind === 'change');
  const departsAt = new Date(Date.parse(stage.ride.departsAt) + 10 * minuteMs).toISOString();
  const { order } = await house.ok(driver, proposeChange, { id: stage.ride.id, departsAt, costCents: 600 });
  const changeId = (order as Ride).change!.id;
  const letters = await lettersTo(passenger);
  expect(letters[0]).toBe('Driver proposes a change of your ride');
  const [letter] = await house.platform.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, passenger.email))
    .orderBy(desc(outboxLetters.at));
  const named = /^Pacific Avenue → Capitola Village · .+ \(was .+\) · \$6\.00 \(was Free\)/m;
  expect(letter?.body).toMatch(named);
  const [proposed, ...others] = await changes(passenger);
  expect(others).toEqual([]);
  expect(proposed).toMatchObject({
    title: 'Driver proposes a change of your ride',
    text: expect.stringMatching(named),
    answer: { to: 'change', id: changeId, state: 'open' },
    read: false,
  });
  expect(await changes(driver)).toEqual([]);

  await house.ok(passenger, answerChange, { changeId, accept: true });
  await house.deliver();
  // The passenger's own answer was the last: what it did is no news to them.
  expect(await changes(passenger)).toEqual([
    expect.objectContaining({
      id: proposed!.id,
      title: 'Your ride has changed, as proposed',
      text: expect.stringMatching(/^Pacific Avenue → Capitola Village · .+ · \$6\.00$/),
      answer: null,
      read: true,
    }),
  ]);
  expect(await lettersTo(passenger)).toEqual(letters);
  expect(await changes(driver)).toEqual([
    expect.objectContaining({
      title: 'Your ride has changed, as proposed',
      text: expect.stringMatching(/^Mission Street → Aptos Village · .+ · \$6\.00 per person$/),
      read: false,
    }),
  ]);

  const next = new Date(Date.parse(departsAt) + 10 * minuteMs).toISOString();
  await house.ok(driver, proposeChange, { id: stage.ride.id, departsAt: next, costCents: 600 });
  await house.deliver();
  const [open] = await changes(passenger);
  expect(open).toMatchObject({ answer: { state: 'open' } });
  await house.ok(passenger, answerChange, { changeId: open!.answer!.id, accept: false });
  await house.deliver();
  expect((await changes(passenger))[0]).toMatchObject({ id: open!.id, answer: { state: 'declined' } });
});

test('an ask and an invitation are answered in their line, which says how that stands', async () => {
  const stage = await setStage(house, 'asked');
  const { driver, passenger, contact } = stage.people;
  const lineOf = async (person: TestPerson, kind: string) =>
    (await house.ok(person, listNews, {})).news.find((line) => line.kind === kind)!;
  expect(await lineOf(driver, 'ask')).toMatchObject({
    text: expect.stringMatching(/^Mission Street → Aptos Village · .+ · Free$/),
    answer: { to: 'ask', id: stage.bookingId, state: 'open', holdCents: 0 },
  });
  await house.ok(driver, reject, { bookingId: stage.bookingId, reason: 'Full' });
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'declined' });

  const request = await publishRequest(house, contact);
  const invited = await house.ok(driver, invite, { rideId: stage.ride.id, requestId: request.id });
  await house.deliver();
  const bookingId = invited.order.bookings.find(({ requestId }) => requestId === request.id)!.id;
  expect(await lineOf(contact, 'invitation')).toMatchObject({
    text: expect.stringMatching(/^Pacific Avenue → Capitola Village · .+ · Free$/),
    answer: { to: 'invitation', id: bookingId, state: 'open' },
  });
  await house.ok(contact, accept, { bookingId });
  expect((await lineOf(contact, 'invitation')).answer).toMatchObject({ state: 'accepted' });

  // What was taken back cannot be answered any more.
  await house.ok(passenger, cancelOrder, { id: stage.request.id });
  const other = await publishRequest(house, passenger);
  const asked = await house.ok(passenger, askToJoin, { rideId: stage.ride.id, requestId: other.id });
  await house.deliver();
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'open' });
  await house.ok(passenger, withdraw, { bookingId: asked.order.bookings[0]!.id });
  expect((await lineOf(driver, 'ask')).answer).toMatchObject({ state: 'over' });
});

test('a kind that is switched off, or agreement taken back before it went out, sends nothing', async () => {
  const stage = await setStage(house, 'joined');
  const { driver, passenger } = stage.people;
  const kinds = { ...agreed.kinds, change: { push: true, email: false, sms: false } };
  await house.ok(passenger, saveSettings, { ...agreed, kinds });
  await house.ok(driver, cancelOrder, { id: stage.ride.id, reason: 'Flat tyre' });
  expect(await lettersTo(passenger)).toEqual([]);

  const other = await setStage(house, 'joined');
  await house.ok(other.people.passenger, saveSettings, agreed);
  await house.ok(other.people.driver, cancelOrder, { id: other.ride.id, reason: 'Flat tyre' });
  await house.deliver();
  await house.ok(other.people.passenger, saveSettings, { ...agreed, agreed: false });
  expect(await lettersTo(other.people.passenger)).toEqual([]);
});

test('quiet hours hold news back until they end', async () => {
  const stage = await setStage(house, 'joined');
  const { driver, passenger } = stage.people;
  const now = house.clock.now();
  const timeIn = (minutes: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/Los_Angeles',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(now.getTime() + minutes * minuteMs);
  const quietHours = { on: true, from: timeIn(-60), to: timeIn(60), timeZone: 'America/Los_Angeles' };
  await house.ok(passenger, saveSettings, { ...agreed, quietHours });
  await house.ok(driver, cancelOrder, { id: stage.ride.id, reason: 'Flat tyre' });
  expect(await lettersTo(passenger)).toEqual([]);
  house.clock.advance(61 * minuteMs);
  expect(await lettersTo(passenger)).toEqual(['Driver cancelled your ride']);
});

test('text messages need a verified phone, and go there', async () => {
  const kinds = { ...agreed.kinds, reached: { push: true, email: false, sms: true } };
  const without = await house.person('Without');
  const more = { ...kinds, ask: { push: true, email: true, sms: true } };
  expect(await house.call(without, saveSettings, { ...agreed, kinds: more })).toMatchObject({
    code: 422,
    reason: 'notification.phoneUnverified',
    data: { fields: { kinds: expect.any(String) } },
  });
  const stage = await setStage(house, 'departed');
  const { passenger } = stage.people;
  await house.ok(passenger, saveSettings, { ...agreed, kinds });
  await house.ok(stage.people.driver, reach, {
    id: stage.ride.id,
    bookingId: stage.bookingId,
    reason: 'It is here',
  });
  await lettersTo(passenger);
  const { phone } = await house.ok(passenger, readSettings, {});
  const texts = await house.platform.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, phone));
  expect(texts.map(({ body }) => body)).toEqual([expect.stringContaining('Driver is at your pick-up point')]);
});

test('new rides near home are news for those who want it and whom the circle reaches', async () => {
  const [near, far, unasked, owner] = [
    await house.person('Near'),
    await house.person('Far'),
    await house.person('Unasked'),
    await house.person('Owner'),
  ];
  const location = { ...agreed.location, nearHome: true, withinMetres: 1_600 as const };
  const kinds = { ...agreed.kinds, nearby: { push: true, email: true, sms: false } };
  await house.ok(near, createAddress, { ...spots.westside, label: 'home' });
  await house.ok(far, createAddress, { ...spots.aptos, label: 'home' });
  await house.ok(unasked, createAddress, { ...spots.westside, label: 'home' });
  for (const person of [near, far]) await house.ok(person, saveSettings, { ...agreed, kinds, location });
  await publishRide(house, owner, { visibility: 'private' });
  expect(await lettersTo(near)).toEqual([]);
  await publishRide(house, await house.person('Second'), {});
  expect(await lettersTo(near)).toEqual(['A new ride starts near one of your places']);
  expect([await lettersTo(far), await lettersTo(unasked)]).toEqual([[], []]);

  // A ride of every day is published two weeks ahead at once, and is one piece of news.
  const series = { series: plannedSeries(house) } as never;
  await house.ok(await house.person('Weekly'), createSeries, series);
  expect(await lettersTo(near)).toHaveLength(2);
});

test.each([
  [{ quietHours: { ...agreed.quietHours, from: '25:00' } }, 'quietHours.from'],
  [{ quietHours: { ...agreed.quietHours, timeZone: 'Mars/Olympus' } }, 'quietHours.timeZone'],
  [{ location: { ...agreed.location, withinMetres: 3 } }, 'location.withinMetres'],
  [{ kinds: {} }, 'kinds.ask'],
])('%j is refused by its field and changes nothing', async (wrong, field) => {
  const mia = await house.person('Mia');
  const answer = await house.call(mia, saveSettings, { ...agreed, ...wrong } as never);
  expect(answer).toMatchObject({ code: 422, reason: 'input.invalid' });
  expect(Object.keys((answer.data as unknown as { fields: object }).fields)).toContain(field);
  expect(await house.ok(mia, readSettings, {})).toMatchObject({ choices: firstChoices });
});
