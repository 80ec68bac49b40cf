import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import {
  cancelEvent,
  createEvent,
  eventDetail,
  eventRides,
  joinAsDriver,
  joinAsPassenger,
  listEvents,
  updateEvent,
} from '#contract/events/endpoints.ts';
import { answerPlace, assignPlaces, eventPlan, myEvent } from '#contract/events/plan.ts';
import { driveBack, driveThere, rideBack, rideThere } from '#contract/events/times.ts';
import { authorize } from '#contract/payments/endpoints.ts';
import { cancelOrder, createOrder, listOrders, orderDetail } from '#contract/rides/endpoints.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addCard, onboard } from '../../../testing/money.ts';
import { addVehicle, spots } from '../../../testing/orders.ts';
import { upload } from '../../../testing/upload.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'sameway-outings-'));
let app: TestApp;
let olga: TestPerson;
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DATA_DIR: folder },
  });
  olga = await app.person('Olga');
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const fields = {
  name: 'Lantern walk',
  place: spots.capitola,
  starts: '2026-11-28T18:00',
  ends: '2026-11-28T20:30',
};
const announce = (more: object = {}) => app.ok(olga, createEvent, { ...fields, ...more });
const times = ({ earliestMs, latestMs }: { earliestMs: number; latestMs: number }) => ({
  departsAt: new Date(earliestMs).toISOString(),
  flexMinutes: (latestMs - earliestMs) / 60_000,
});
const window = ({ earliestMs, latestMs }: { earliestMs: number; latestMs: number }) => ({
  earliestAt: new Date(earliestMs).toISOString(),
  latestAt: new Date(latestMs).toISOString(),
});
const startsMs = Date.parse('2026-11-29T02:00:00Z');
const endsMs = Date.parse('2026-11-29T04:30:00Z');
const driveMs = 12 * 60_000;

function drives(who: TestPerson, id: string, more: object = {}) {
  return app.ok(who, joinAsDriver, {
    id,
    from: spots.westside,
    seats: 2,
    vehicleId: null,
    there: times(driveThere(startsMs, driveMs)),
    back: times(driveBack(endsMs)),
    ...more,
  });
}

function rides(who: TestPerson, id: string, more: object = {}) {
  return app.ok(who, joinAsPassenger, {
    id,
    from: spots.downtown,
    seats: 1,
    there: window(rideThere(startsMs, driveMs)),
    back: window(rideBack(endsMs)),
    ...more,
  });
}

const placesOf = async (who: TestPerson, id: string, way = 'there') =>
  (await app.ok(who, myEvent, { id })).places.filter((place) => place.way === way);

test('an event is announced by the clocks of its place, changed, and called off', async () => {
  const event = await announce({ expectedPeople: 80, description: 'Bring a light.' });
  expect(event).toMatchObject({
    timeZone: 'America/Los_Angeles',
    startsAt: '2026-11-29T02:00:00.000Z',
    endsAt: '2026-11-29T04:30:00.000Z',
    expectedPeople: 80,
    mine: true,
    organizer: { name: 'Olga' },
    back: { seatsOffered: 0, seatsNeeded: 0 },
  });
  const { id } = event;
  const other = await app.person('Other');
  const changed = { id, ...fields, name: 'Light walk', starts: '2026-11-28T19:00' };
  expect(await app.call(other, updateEvent, changed)).toMatchObject({ code: 404 });
  expect(await app.ok(olga, updateEvent, changed)).toMatchObject({
    name: 'Light walk',
    expectedPeople: null,
  });
  expect((await app.ok(null, listEvents, { text: 'light walk' })).total).toBe(1);
  expect((await app.ok(olga, listEvents, { scope: 'mine' })).events.map((each) => each.id)).toContain(id);
  expect((await app.ok(other, listEvents, { scope: 'mine' })).events).toEqual([]);
  expect(await app.call(other, cancelEvent, { id })).toMatchObject({ code: 404 });
  expect(await app.ok(olga, cancelEvent, { id })).toMatchObject({ canceled: true });
  expect((await app.ok(null, listEvents, { text: 'light walk' })).total).toBe(0);
  expect(await app.call(olga, updateEvent, changed)).toMatchObject({ code: 409, reason: 'event.over' });
  const join = {
    id,
    from: spots.westside,
    seats: 1,
    there: window(rideThere(startsMs, driveMs)),
    back: null,
  };
  expect(await app.call(other, joinAsPassenger, join)).toMatchObject({ reason: 'event.over' });
});

test('an event has a picture of its organizer, until it is taken away', async () => {
  const bytes = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#59BC6B' } })
    .jpeg()
    .toBuffer();
  const { data } = await upload(app, olga, 'event', [{ bytes }]);
  const thief = await app.person('Thief');
  const taken = await app.call(thief, createEvent, { ...fields, picture: data!.id });
  expect(taken).toMatchObject({ code: 422, data: { fields: { picture: expect.any(String) } } });
  const { id, picture } = await announce({ picture: data!.id });
  expect(picture).toMatch(/^\/files\/events\/[\w-]+\.webp$/);
  expect((await app.http.inject({ url: picture })).headers['content-type']).toBe('image/webp');
  expect(await app.ok(olga, updateEvent, { id, ...fields, name: 'Kept' })).toMatchObject({ picture });
  expect(await app.ok(olga, updateEvent, { id, ...fields, picture: null })).toMatchObject({ picture: '' });
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ starts: 'soon' }, 'starts'],
  [{ starts: '2026-11-22T18:00' }, 'starts'],
  [{ ends: '2026-11-28T17:00' }, 'ends'],
  [{ ends: '2026-12-20T17:00' }, 'ends'],
  [{ starts: '2027-06-01T18:00', ends: '2027-06-01T19:00' }, 'ends'],
  [{ expectedPeople: 0 }, 'expectedPeople'],
  [{ place: { name: 'Far away', detail: '', lon: 0, lat: 0 } }, 'place'],
  [{ picture: crypto.randomUUID() }, 'picture'],
])('%o is refused by the name of its field', async (more, field) => {
  const before = (await app.ok(olga, listEvents, { scope: 'mine' })).total;
  const answer = await app.call(olga, createEvent, { ...fields, ...more });
  expect(answer).toMatchObject({ code: 422, data: { fields: { [field]: expect.any(String) } } });
  expect((await app.ok(olga, listEvents, { scope: 'mine' })).total).toBe(before);
});

test('near is by distance, and says what it lacks', async () => {
  await announce({ name: 'Near one', place: spots.capitola });
  await announce({ name: 'Near two', place: spots.scottsValley });
  const near = await app.ok(null, listEvents, {
    scope: 'near',
    text: 'near ',
    lon: spots.scottsValley.lon,
    lat: spots.scottsValley.lat,
  });
  expect(near.events.map(({ name }) => name)).toEqual(['Near two', 'Near one']);
  const nowhere = await app.call(null, listEvents, { scope: 'near' });
  expect(nowhere).toMatchObject({ code: 422, data: { fields: { lon: expect.any(String) } } });
});

test('an event by link is there for its organizer, for those with its link, and for who travels to it', async () => {
  const { id } = await announce({ name: 'Secret garden', visibility: 'link' });
  const [guest, stranger] = [await app.person('Invited'), await app.person('Stranger')];
  const { token } = await app.ok(olga, eventDetail, { id });
  expect(token.length).toBeGreaterThan(20);
  expect((await app.ok(stranger, listEvents, { text: 'secret' })).total).toBe(0);
  for (const [who, asked] of [
    [stranger, ''],
    [null, ''],
    [stranger, `${token.slice(0, -1)}x`],
  ] as const) {
    expect(await app.call(who, eventDetail, { id, token: asked })).toMatchObject({ code: 404 });
    expect(await app.call(who, eventRides, { id, token: asked })).toMatchObject({ code: 404 });
  }
  const wanted = {
    from: spots.downtown,
    seats: 1,
    there: window(rideThere(startsMs, driveMs)),
    back: null,
  };
  expect(await app.call(guest, joinAsPassenger, { id, ...wanted })).toMatchObject({ code: 404 });
  // Its id alone gives no access.
  const { from, seats, there } = wanted;
  const order = {
    role: 'passenger' as const,
    from,
    to: spots.capitola,
    seats,
    ...there,
    offerCents: null,
    eventId: id,
  };
  expect(await app.call(guest, createOrder, { order })).toMatchObject({
    reason: 'order.eventNotFound',
  });
  const joined = await app.ok(guest, joinAsPassenger, { id, token, ...wanted });
  expect(joined.orders[0]).toMatchObject({ eventId: id, eventName: 'Secret garden' });
  // A person who sees the ride does not see the event.
  expect(await app.ok(stranger, orderDetail, { id: joined.orders[0]!.id })).toMatchObject({
    order: { eventName: '' },
  });
  expect(await app.ok(guest, eventDetail, { id })).toMatchObject({ name: 'Secret garden', token });
  const page = (query: string) => app.http.inject({ url: `/event/embed?id=${id}${query}` });
  expect((await page('')).statusCode).toBe(404);
  expect((await page(`&token=${token}`)).body).toContain('Secret garden');
});

test('only the page for other sites may be framed; it holds no scripts and shows text as text', async () => {
  const { id } = await announce({ name: '<b>Bold</b>' });
  const shown = await app.http.inject({ url: `/event/embed?id=${id}&lang=zh` });
  expect(shown.statusCode).toBe(200);
  expect(shown.headers['x-frame-options']).toBeUndefined();
  expect(shown.headers['content-security-policy']).toContain('frame-ancestors *');
  expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
  expect(shown.headers['content-security-policy']).not.toContain('unsafe');
  expect(shown.body).toContain('&#60;b&#62;Bold');
  expect(shown.body).toContain('一起拼车去');
  expect(shown.body).not.toContain('<script');
  for (const url of ['/', `/pages/events/events?id=${id}`, `/event/detail?id=${id}`, '/event/embed/x']) {
    const other = await app.http.inject({ url });
    expect(other.headers['content-security-policy'], url).toContain("frame-ancestors 'none'");
  }
  expect((await app.http.inject({ url: '/event/embed' })).statusCode).toBe(404);
});

test('both ways are published or none, and a refusal names the field of its way', async () => {
  const { id } = await announce({ name: 'Both ways' });
  const dan = await app.person('Dan');
  const late = { departsAt: later(app.clock.now(), 200 * dayMs).toISOString(), flexMinutes: 0 };
  const drive = { id, from: spots.westside, seats: 2, vehicleId: null };
  const there = times(driveThere(startsMs, driveMs));
  const refused = await app.call(dan, joinAsDriver, { ...drive, there, back: late });
  expect(refused).toMatchObject({ code: 422, data: { fields: { 'back.departsAt': expect.any(String) } } });
  const nothing = await app.call(dan, joinAsDriver, { ...drive, there: null, back: null });
  expect(nothing).toMatchObject({ code: 422, data: { fields: { there: expect.any(String) } } });
  const atSea = { name: 'Far away', detail: '', lon: 0, lat: 0 };
  const far = await app.call(dan, joinAsDriver, { ...drive, from: atSea, there, back: null });
  expect(far).toMatchObject({ code: 422, data: { fields: { from: expect.any(String) } } });
  expect((await app.ok(dan, listOrders, {})).total).toBe(0);
  const { orders } = await drives(dan, id);
  expect(orders.map(({ from, to }) => [from.name, to.name])).toEqual([
    ['Mission Street', 'Capitola Village'],
    ['Capitola Village', 'Mission Street'],
  ]);
  await rides(await app.person('Rose'), id, { seats: 2 });
  expect(await app.ok(null, eventDetail, { id })).toMatchObject({
    seatsOffered: 2,
    seatsNeeded: 2,
    back: { seatsOffered: 2, seatsNeeded: 2 },
  });
  const { entries } = await app.ok(null, eventRides, { id });
  expect(entries.map(({ role, way, seats }) => `${role} ${way} ${seats}`).toSorted()).toEqual([
    'driver back 2',
    'driver there 2',
    'passenger back 2',
    'passenger there 2',
  ]);
  expect(entries.every(({ place, mine }) => place.approximate && !mine)).toBe(true);
});

/** Both people of a place say yes: only the second yes books the seat. */
async function bothAccept(placeId: string, [first, second]: [TestPerson, TestPerson]): Promise<void> {
  const accepted = { placeId, accept: true };
  expect(await app.ok(first, answerPlace, accepted)).toEqual({ joined: false, toPay: false });
  expect(await app.ok(second, answerPlace, accepted)).toEqual({ joined: true, toPay: false });
}

test('a plan is sent, accepted by both sides, and repairs itself when somebody drops out', async () => {
  const { id } = await announce({ name: 'Planned' });
  const dora = await app.person('Dora');
  const [ann, ben, cho] = [await app.person('Ann'), await app.person('Ben'), await app.person('Cho')];
  await drives(dora, id);
  for (const who of [ann, ben, cho]) await rides(who, id);
  const blocked = await app.person('Blocked');
  await app.ok(blocked, blockPerson, { id: dora.id });
  await rides(blocked, id, { back: null });

  expect(await app.call(ann, eventPlan, { id })).toMatchObject({ code: 404 });
  const plan = await app.ok(olga, eventPlan, { id });
  const [there, back] = plan.ways;
  expect(there).toMatchObject({ way: 'there', seatsShort: 2, rides: [{ seatsLeft: 0 }] });
  expect(back).toMatchObject({ way: 'back', seatsShort: 1 });
  const planned = there!.rides[0]!.passengers;
  expect(planned.map(({ state }) => state)).toEqual(['planned', 'planned']);
  expect(planned.map(({ passenger }) => passenger.name)).not.toContain('Blocked');
  expect(plan.unsent).toBe(4);
  expect(there!.rides[0]!.place.approximate).toBe(true);

  const places = plan.ways.flatMap((way) =>
    way.rides.flatMap(({ rideId, passengers }) => passengers.map(({ requestId }) => ({ rideId, requestId }))),
  );
  // Refuses more passengers than seats, and a pair of two directions.
  const rideId = there!.rides[0]!.rideId;
  const third = there!.left.find(({ passenger }) => passenger.name !== 'Blocked')!;
  const tooMany = [...places, { rideId, requestId: third.requestId }];
  expect(await app.call(olga, assignPlaces, { id, places: tooMany })).toMatchObject({
    code: 409,
    reason: 'event.planMoved',
  });
  expect(await app.call(ann, assignPlaces, { id, places })).toMatchObject({ code: 404 });
  const sent = await app.ok(olga, assignPlaces, { id, places });
  expect(sent.unsent).toBe(0);
  expect(sent.sentAt).not.toBeNull();
  await app.deliver();

  const people = [ann, ben, cho];
  const has = await Promise.all(people.map(async (who) => (await placesOf(who, id)).length));
  expect(has.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
  const [first, second] = people.filter((_, at) => has[at] === 1);
  const left = people.find((_, at) => has[at] === 0)!;
  const [mine] = await placesOf(first!, id);
  expect(mine).toMatchObject({ role: 'passenger', other: { name: 'Dora' }, waitsFor: 'mine', fareCents: 0 });
  const stranger = await app.call(left, answerPlace, { placeId: mine!.id, accept: true });
  expect(stranger).toMatchObject({ code: 404, reason: 'event.placeNotFound' });

  // The passenger says yes first, then the driver; of the other place the driver first.
  expect(await app.ok(first!, answerPlace, { placeId: mine!.id, accept: true })).toEqual({
    joined: false,
    toPay: false,
  });
  expect(await placesOf(first!, id)).toMatchObject([{ waitsFor: 'theirs' }]);
  expect(await app.ok(dora, answerPlace, { placeId: mine!.id, accept: true })).toEqual({
    joined: true,
    toPay: false,
  });
  const [theirs] = await placesOf(second!, id);
  await bothAccept(theirs!.id, [dora, second!]);
  await app.deliver();
  expect(await placesOf(first!, id)).toMatchObject([{ waitsFor: 'joined' }]);
  expect(await placesOf(left, id)).toEqual([]);

  await app.ok(first!, cancelOrder, { id: mine!.orderId, reason: 'ill' });
  await app.deliver();
  // The passenger who stays keeps their place; the free seat is proposed to the one without a place.
  expect(await placesOf(second!, id)).toMatchObject([{ id: theirs!.id, waitsFor: 'joined' }]);
  const [replacing] = await placesOf(left, id);
  expect(replacing).toMatchObject({ waitsFor: 'mine', other: { name: 'Dora' } });
  await bothAccept(replacing!.id, [left, dora]);
  const after = await app.ok(olga, eventPlan, { id });
  expect(after.ways[0]!.rides[0]!.passengers.map(({ state }) => state)).toEqual(['joined', 'joined']);
});

test('who declines is not asked again for the same car, and a newcomer is proposed what is free', async () => {
  const { id } = await announce({ name: 'Declined' });
  const [dean, eve] = [await app.person('Dean'), await app.person('Eve')];
  await drives(dean, id, { back: null, seats: 1, instant: true });
  await rides(eve, id, { back: null });
  const plan = await app.ok(olga, eventPlan, { id });
  const [ride] = plan.ways[0]!.rides;
  const places = [{ rideId: ride!.rideId, requestId: ride!.passengers[0]!.requestId }];
  await app.ok(olga, assignPlaces, { id, places });
  const [place] = await placesOf(eve, id);
  await app.ok(eve, answerPlace, { placeId: place!.id, accept: false });
  await app.deliver();
  expect(await placesOf(eve, id)).toEqual([]);
  const again = await app.call(eve, answerPlace, { placeId: place!.id, accept: true });
  expect(again).toMatchObject({ code: 409, reason: 'event.placeGone' });
  expect((await app.ok(olga, eventPlan, { id })).ways[0]).toMatchObject({ seatsShort: 1 });

  const newcomer = await app.person('Newcomer');
  await rides(newcomer, id, { back: null });
  await app.deliver();
  const [free] = await placesOf(newcomer, id);
  // An instant ride needs no second yes.
  expect(await app.ok(newcomer, answerPlace, { placeId: free!.id, accept: true })).toEqual({
    joined: true,
    toPay: false,
  });
});

test('when a driver drops out, those who were let down are proposed to another', async () => {
  const { id } = await announce({ name: 'Let down' });
  const [dirk, dee, paul] = [await app.person('Dirk'), await app.person('Dee'), await app.person('Paul')];
  const { orders } = await drives(dirk, id, { back: null, instant: true });
  await rides(paul, id, { back: null });
  const plan = await app.ok(olga, eventPlan, { id });
  const [ride] = plan.ways[0]!.rides;
  const places = [{ rideId: ride!.rideId, requestId: ride!.passengers[0]!.requestId }];
  await app.ok(olga, assignPlaces, { id, places });
  const [place] = await placesOf(paul, id);
  expect(await app.ok(paul, answerPlace, { placeId: place!.id, accept: true })).toEqual({
    joined: true,
    toPay: false,
  });
  await drives(dee, id, { back: null });
  await app.deliver();
  // No passenger is moved to a newcomer's car.
  expect(await placesOf(paul, id)).toMatchObject([{ id: place!.id, waitsFor: 'joined' }]);
  await app.ok(dirk, cancelOrder, { id: orders[0]!.id, reason: 'flat tyre' });
  await app.deliver();
  expect(await placesOf(paul, id)).toMatchObject([{ waitsFor: 'mine', other: { name: 'Dee' } }]);
  // A canceled place is not proposed again.
  await app.ok(olga, cancelEvent, { id });
  expect(await placesOf(paul, id)).toEqual([]);
});

test('a place that costs is kept for whoever has still to pay, and nobody else is put on it', async () => {
  const { id } = await announce({ name: 'Paid' });
  const [dina, pia] = [await app.person('Dina'), await app.person('Pia')];
  await onboard(app, dina);
  const vehicleId = await addVehicle(app, dina);
  await drives(dina, id, { back: null, seats: 1, vehicleId, costCents: 2000 });
  const { orders } = await rides(pia, id, { back: null });
  const plan = await app.ok(olga, eventPlan, { id });
  const [ride] = plan.ways[0]!.rides;
  const places = [{ rideId: ride!.rideId, requestId: ride!.passengers[0]!.requestId }];
  await app.ok(olga, assignPlaces, { id, places });
  const [place] = await placesOf(pia, id);
  const answer = { placeId: place!.id, accept: true };
  await app.ok(dina, answerPlace, answer);
  expect(await app.ok(pia, answerPlace, answer)).toEqual({ joined: false, toPay: true });
  // Repeating it changes nothing.
  expect(await app.ok(pia, answerPlace, answer)).toEqual({ joined: false, toPay: true });
  for (const who of [dina, pia]) expect(await placesOf(who, id)).toMatchObject([{ waitsFor: 'payment' }]);
  await rides(await app.person('Late'), id, { back: null });
  const [there] = (await app.ok(olga, eventPlan, { id })).ways;
  expect(there).toMatchObject({ seatsShort: 1, left: [{ passenger: { name: 'Late' } }] });
  expect(there!.rides[0]).toMatchObject({
    seatsLeft: 0,
    passengers: [{ passenger: { name: 'Pia' }, state: 'asked' }],
  });

  const card = await addCard(app, pia);
  const { order } = await app.ok(pia, orderDetail, { id: orders[0]!.id });
  await app.ok(pia, authorize, { bookingId: order.bookings[0]!.id, methodId: card.id });
  for (const who of [dina, pia]) expect(await placesOf(who, id)).toMatchObject([{ waitsFor: 'joined' }]);
});

test('a plan heeds what rides and requests say of pets', async () => {
  const { id } = await announce({ name: 'With dogs' });
  const [dave, ida] = [await app.person('Dave'), await app.person('Ida')];
  await drives(dave, id, { back: null });
  const { earliestAt, latestAt } = window(rideThere(startsMs, driveMs));
  const order = {
    role: 'passenger',
    from: spots.downtown,
    to: spots.capitola,
    earliestAt,
    latestAt,
  } as const;
  const pets = { pets: true, luggage: false, quiet: false, women: false };
  await app.ok(ida, createOrder, { order: { ...order, seats: 1, eventId: id, preferences: pets } });
  const [there] = (await app.ok(olga, eventPlan, { id })).ways;
  expect(there).toMatchObject({ seatsShort: 1, rides: [{ passengers: [] }] });
});
