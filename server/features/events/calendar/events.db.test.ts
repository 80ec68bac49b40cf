import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventDetail, listEvents } from '#contract/events/endpoints.ts';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { events } from '../../../schema/events.ts';
import { requests, rides, rideStops } from '../../../schema/rides.ts';
import { openRequest, openRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { eventNames } from './store.ts';
import { canTravelTo } from './read-events.ts';

let app: TestApp;
let mia: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  mia = await app.person('Mia');
});
afterAll(() => app.close());

async function happening(name: string, startsAt: Date, atName = 'Depot Park'): Promise<string> {
  const id = crypto.randomUUID();
  await app.platform.db.insert(events).values({
    id,
    organizerId: mia.id,
    name,
    atName,
    atDetail: 'Santa Cruz',
    atLon: -121.9027,
    atLat: 36.9772,
    startsAt,
    endsAt: later(startsAt, 2 * hourMs),
    timeZone: 'America/Los_Angeles',
    createdAt: startsAt,
  });
  return id;
}

/** A ride to the event whose legs have these many seats taken. */
async function rideTo(
  eventId: string,
  seatsTaken: readonly number[],
  more: Partial<typeof rides.$inferInsert> = {},
): Promise<void> {
  const departsAt = later(app.clock.now(), dayMs);
  const ride = { ...openRide({ driverId: mia.id, departsAt }), eventId, ...more };
  await app.platform.db.insert(rides).values(ride);
  await app.platform.db.insert(rideStops).values(
    [...seatsTaken, 0].map((taken, position) => ({
      rideId: ride.id,
      position,
      kind:
        position === 0
          ? ('start' as const)
          : position === seatsTaken.length
            ? ('end' as const)
            : ('pickup' as const),
      lon: -122,
      lat: 37,
      at: departsAt,
      standsMs: 0,
      toNextMs: 0,
      toNextMetres: 0,
      seatsTaken: taken,
      seats: ride.seats,
    })),
  );
}

test('events to come are listed soonest first and found by name or place', async () => {
  const now = app.clock.now();
  const running = await happening('Farmers market', later(now, -hourMs));
  const later1 = await happening('100% Jazz_night', later(now, 3 * dayMs), 'Kuumbwa');
  await happening('Over', later(now, -3 * hourMs));
  const found = async (text: string) =>
    (await app.ok(null, listEvents, { text })).events.map((event) => event.id);
  expect(await found('')).toEqual([running, later1]);
  expect(await found('kuumbwa')).toEqual([later1]);
  expect(await found('0% jazz_')).toEqual([later1]);
  expect(await found('%')).toEqual([later1]);
  expect(await found('over')).toEqual([]);
});

test('seats offered are those free on the whole way of open rides; seats needed those of open requests', async () => {
  const id = await happening('Beach cleanup', later(app.clock.now(), 2 * dayMs));
  const other = await happening('Elsewhere', later(app.clock.now(), 2 * dayMs));
  await rideTo(id, [0, 2, 1], { seats: 3 });
  await rideTo(id, [0], { seats: 2 });
  await rideTo(id, [0], { seats: 4, state: 'cancel' });
  await rideTo(id, [0], { seats: 4, visibility: 'private' });
  await rideTo(other, [0], { seats: 4 });
  const at = later(app.clock.now(), dayMs);
  const ask = (more: Partial<typeof requests.$inferInsert>) =>
    app.platform.db
      .insert(requests)
      .values({ ...openRequest({ passengerId: mia.id, earliestAt: at }), eventId: id, ...more });
  await ask({ seats: 2 });
  await ask({ seats: 1, state: 'requesting' });
  await ask({ seats: 5, state: 'joined' });
  expect(await app.ok(null, eventDetail, { id })).toMatchObject({ seatsOffered: 3, seatsNeeded: 3 });
});

test('an event nobody made is not found', async () => {
  const refused = await app.call(null, eventDetail, { id: crypto.randomUUID() });
  expect(refused).toMatchObject({ code: 404, reason: 'event.notFound' });
});

test('names are found by id', async () => {
  const id = await happening('Regatta', app.clock.now());
  const unknown = crypto.randomUUID();
  expect(await eventNames(app.platform.db, [id, unknown], mia.id)).toEqual(new Map([[id, 'Regatta']]));
  expect(await canTravelTo(app.platform, id, mia.id)).toBe(true);
  expect(await canTravelTo(app.platform, unknown, mia.id)).toBe(false);
});

test('a short link leads to its event, with the secret of one that is not public; guesses are counted', async () => {
  const id = await happening('Book fair', later(app.clock.now(), dayMs));
  const open = async (url: string, remoteAddress = '203.0.113.1') => {
    const { statusCode, headers } = await app.http.inject({ url, remoteAddress });
    return [statusCode, headers['location']];
  };
  const { link } = await app.ok(null, eventDetail, { id });
  expect(link).toMatch(/^\/e\/[0-9A-HJKMNP-TV-Z]{12}$/);
  expect((await app.ok(mia, eventDetail, { id })).link).toBe(link);
  expect(await open(link)).toEqual([302, `/pages/events/events?id=${id}`]);

  // The public event has been made private: people who have the old link alone do not follow it there.
  await app.platform.db.update(events).set({ visibility: 'link' }).where(eq(events.id, id));
  expect((await open(link))[1]).toBeUndefined();
  const hidden = await app.ok(mia, eventDetail, { id });
  expect(hidden.link).not.toBe(link);
  expect((await open(link))[1]).toBeUndefined();
  expect(await open(hidden.link)).toEqual([302, `/pages/events/events?id=${id}&token=${hidden.token}`]);
  const stored = await app.platform.db.select().from(events).where(eq(events.id, id));
  expect(JSON.stringify(stored)).not.toContain(hidden.link.slice(3));

  for (let tries = 0; tries < 120; tries += 1)
    expect((await open('/e/000000000000', '203.0.113.2'))[0]).not.toBe(302);
  expect(await open(hidden.link, '203.0.113.2')).toEqual([429, undefined]);
});
