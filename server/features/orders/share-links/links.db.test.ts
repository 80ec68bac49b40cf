import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  askToJoin,
  cancelOrder,
  discover,
  invite,
  match,
  orderDetail,
  orderTimeline,
} from '#contract/rides/endpoints.ts';
import { lookAtLink, makeLink, openLink, readLink } from '#contract/rides/share-links.ts';
import { watchTrip } from '#contract/safety/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { blocks } from '../../../schema/contacts.ts';
import { shareLinks } from '../../../schema/rides.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addCard, onboard } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const codeIn = (path: string | null) => new URL(path!, 'http://app').searchParams.get('code')!;
const link = async (who: TestPerson, id: string, renew = false) =>
  codeIn((await app.ok(who, makeLink, { id, renew })).path);

/** Everything by which a person could come to know of a ride: each true where they do. */
async function knows(who: TestPerson | null, ride: Ride, requestId: string | null) {
  const { orders } = await app.ok(who, discover, { ...spots.westside, role: 'driver' });
  const found = { listed: orders.some(({ id }) => id === ride.id) };
  if (who === null || requestId === null) return found;
  const isOk = async (call: Promise<{ code: number }>) => (await call).code === 200;
  const { candidates } = await app.ok(who, match, { id: requestId });
  return {
    ...found,
    matched: candidates.some((each) => each.ride.id === ride.id),
    opened: await isOk(app.call(who, orderDetail, { id: ride.id })),
    byNumber: await isOk(app.call(who, orderDetail, { id: ride.orderNumber })),
    timeline: await isOk(app.call(who, orderTimeline, { id: ride.id })),
  };
}
const all = { listed: true, matched: true, opened: true, byNumber: true, timeline: true };
const none = { listed: false, matched: false, opened: false, byNumber: false, timeline: false };

/** A private paid ride, and three people with fitting requests. */
async function openPrivateRide() {
  const [driver, friend, stranger, blocked] = await Promise.all(
    ['Mia Keller', 'Friend', 'Stranger', 'Blocked'].map((name) => app.person(name)),
  );
  const vehicleId = await addVehicle(app, driver!);
  await onboard(app, driver!);
  await addCard(app, friend!);
  const from = { ...spots.westside, name: '1500 Mission Street' };
  const terms = { from, visibility: 'private' as const, vehicleId, costCents: 900, note: 'Ring the bell' };
  const ride = await publishRide(app, driver!, { ...terms, maxDetourMinutes: 20 });
  const requests = await Promise.all(
    [friend!, stranger!, blocked!].map((person) => publishRequest(app, person)),
  );
  return {
    people: [driver!, friend!, stranger!, blocked!] as const,
    ride,
    requestIds: requests.map(({ id }) => id),
  };
}

test('a private ride is seen by whoever has opened its link, and by nobody else', async () => {
  const { people, ride, requestIds } = await openPrivateRide();
  const [driver, friend, stranger, blocked] = people;
  const [ofFriend, ofStranger, ofBlocked] = requestIds;
  const ask = (who: TestPerson, requestId: string) =>
    app.call(who, askToJoin, { rideId: ride.id, requestId });

  expect(await app.ok(driver, readLink, { id: ride.id })).toEqual({
    path: null,
    short: null,
    madeAt: null,
  });
  expect(await app.call(stranger, makeLink, { id: ride.id })).toMatchObject({ code: 404 });
  const code = await link(driver, ride.id);
  expect(code).toHaveLength(22);
  // The same one again, also for a second tap; the tables hold a hash.
  expect(await link(driver, ride.id)).toBe(code);
  expect(codeIn((await app.ok(driver, readLink, { id: ride.id })).path)).toBe(code);
  expect(JSON.stringify(await app.platform.db.select().from(shareLinks))).not.toContain(code);
  expect(await knows(null, ride, null)).toEqual({ listed: false });
  expect(await knows(friend, ride, ofFriend!)).toEqual(none);

  // A stranger with the link, and all that they see.
  expect(await app.ok(null, lookAtLink, { code })).toEqual({
    role: 'driver',
    from: { name: 'Mission Street', detail: 'Santa Cruz' },
    to: expect.objectContaining({ detail: expect.any(String) }),
    timeZone: 'America/Los_Angeles',
    earliestAt: ride.departsAt,
    latestAt: ride.latestDepartsAt,
    seats: 3,
    price: { kind: 'perPerson', cents: 900 },
    person: { shortName: 'Mia', rating: null, ratingCount: 0 },
  });
  // Looking alone opens nothing, and the link is none to the trip itself.
  expect(await knows(friend, ride, ofFriend!)).toEqual(none);
  expect(await app.call(null, watchTrip, { code })).toMatchObject({ code: 404 });
  expect(await ask(friend, ofFriend!)).toMatchObject({ code: 404 });

  await app.platform.db
    .insert(blocks)
    .values({ blockerId: driver.id, blockedId: blocked.id, createdAt: app.clock.now() });
  expect(await app.call(blocked, openLink, { code })).toMatchObject({ code: 404 });
  expect(await app.call(null, openLink, { code })).toMatchObject({ code: 400 });
  for (let tap = 0; tap < 2; tap += 1)
    expect(await app.ok(friend, openLink, { code })).toEqual({ id: ride.id, role: 'driver' });
  expect(await knows(friend, ride, ofFriend!)).toEqual(all);
  expect(await knows(stranger, ride, ofStranger!)).toEqual(none);
  expect(await knows(blocked, ride, ofBlocked!)).toEqual(none);
  expect(await knows(null, ride, null)).toEqual({ listed: false });
  expect(await ask(stranger, ofStranger!)).toMatchObject({ code: 404 });
  // The friend sees what its audience sees: no exact place, no plate, no link of one's own.
  const { order } = await app.ok(friend, orderDetail, { id: ride.id });
  expect(order).toMatchObject({
    from: { name: 'Mission Street', approximate: true },
    vehicle: { plate: '' },
  });
  expect(await app.call(friend, readLink, { id: ride.id })).toMatchObject({ code: 404 });

  // A new link ends the one before, and the access it gave.
  const renewed = await link(driver, ride.id, true);
  expect(renewed).not.toBe(code);
  expect(await app.call(null, lookAtLink, { code })).toMatchObject({ reason: 'link.notFound' });
  expect(await app.call(friend, openLink, { code })).toMatchObject({ reason: 'link.notFound' });
  expect(await knows(friend, ride, ofFriend!)).toEqual(none);

  // A person who has asked to join still sees the ride after the link ends.
  await app.ok(friend, openLink, { code: renewed });
  const asked = await app.ok(friend, askToJoin, { rideId: ride.id, requestId: ofFriend! });
  const last = await link(driver, ride.id, true);
  await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
  expect((await app.ok(friend, orderDetail, { id: ride.id })).order).toMatchObject({
    from: { name: '1500 Mission Street' },
  });
  expect(await app.ok(null, lookAtLink, { code: last })).toMatchObject({ seats: 2 });

  await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car is broken' });
  expect(await app.call(null, lookAtLink, { code: last })).toMatchObject({ reason: 'link.notFound' });
  expect(await app.call(driver, makeLink, { id: ride.id })).toMatchObject({ reason: 'link.over' });
});

test('a private request by its link: the driver who has opened it may invite', async () => {
  const [passenger, driver] = [await app.person('Ann Li'), await app.person('Driver')];
  const request = await publishRequest(app, passenger, { visibility: 'private', offerCents: 1200 });
  const ride = await publishRide(app, driver, { maxDetourMinutes: 20 });
  const ids = { rideId: ride.id, requestId: request.id };
  expect(await app.call(driver, invite, ids)).toMatchObject({ code: 404 });
  const code = await link(passenger, request.id);
  expect(await app.ok(null, lookAtLink, { code })).toMatchObject({
    role: 'passenger',
    seats: 1,
    price: { kind: 'perPerson', cents: 1200 },
    person: { shortName: 'Ann' },
  });
  expect(await app.ok(driver, openLink, { code })).toEqual({ id: request.id, role: 'passenger' });
  const { candidates } = await app.ok(driver, match, { id: ride.id });
  expect(candidates.map((each) => each.request!.id)).toContain(request.id);
  expect((await app.ok(driver, invite, ids)).order.bookings).toHaveLength(1);
});

test('the short link of a ride leads to its link, as long as that one is there', async () => {
  const driver = await app.person('Short Driver');
  const ride = await publishRide(app, driver, { visibility: 'private' });
  const made = await app.ok(driver, makeLink, { id: ride.id });
  expect(made.short).toMatch(/^\/r\/[0-9A-HJKMNP-TV-Z]{12}$/);
  expect(await app.ok(driver, readLink, { id: ride.id })).toEqual(made);
  const open = async (url: string) => {
    const { statusCode, headers } = await app.http.inject({ url, headers: { accept: 'text/html' } });
    return { statusCode, to: headers['location'], cache: headers['cache-control'] };
  };
  const there = { statusCode: 302, to: made.path, cache: 'no-store' };
  expect(await open(made.short!)).toEqual(there);
  expect(await open(made.short!.toLowerCase())).toEqual(there);
  expect(JSON.stringify(await app.platform.db.select().from(shareLinks))).not.toContain(made.short!.slice(3));

  const renewed = await app.ok(driver, makeLink, { id: ride.id, renew: true });
  expect(renewed.short).not.toBe(made.short);
  expect((await open(made.short!)).to).toBeUndefined();
  expect(await open(renewed.short!)).toMatchObject({ to: renewed.path });
});

test('an order number in a short link leads to the order’s page, whether there is one or not', async () => {
  const driver = await app.person('Number Driver');
  const { orderNumber } = await publishRide(app, driver, {});
  for (const typed of [orderNumber, orderNumber.toLowerCase(), 'SW-000000']) {
    const { statusCode, headers } = await app.http.inject({
      url: `/r/${typed}`,
      headers: { accept: 'text/html' },
    });
    expect([statusCode, headers['location']]).toEqual([302, `/pages/order/detail?id=${typed.toUpperCase()}`]);
  }
  const { statusCode } = await app.http.inject({ url: '/r/SW-00000U', headers: { accept: 'text/html' } });
  expect(statusCode).toBe(404);
});
