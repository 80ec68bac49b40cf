import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrder, discover, match, quote } from '#contract/rides/endpoints.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { onboard } from '../../testing/money.ts';
import {
  addVehicle,
  publishRequest,
  publishRide,
  spots,
  type RideInput,
  type RequestInput,
} from '../../testing/orders.ts';
import { requests, rides } from '../../schema/rides.ts';
import { refusedFields } from '../../testing/envelopes.ts';
import { befriend } from '../contacts/meet-person.ts';
import { createTag } from '../contacts/tags.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const inHours = (hours: number) =>
  new Date(Date.parse('2026-11-23T17:00:00Z') + hours * 3_600_000).toISOString();
const goodRide: RideInput = {
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  departsAt: inHours(24),
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
};
const goodRequest: RequestInput = {
  role: 'passenger',
  from: spots.downtown,
  to: spots.capitola,
  earliestAt: inHours(24),
  latestAt: inHours(25),
  seats: 1,
  offerCents: null,
};
const sea = { name: 'The bay', detail: '', lon: -122.03, lat: 36.9 };

const badOrders: [name: string, order: Record<string, unknown>, field: string, info?: string][] = [
  [
    'no place',
    { ...goodRide, from: { ...spots.westside, name: '' } },
    'order.from.name',
    'Please select a place.',
  ],
  ['a place without coordinates', { ...goodRide, from: { name: 'Somewhere' } }, 'order.from.lon'],
  [
    'the same place twice',
    { ...goodRide, to: spots.westside },
    'order.to',
    'Please choose two different places.',
  ],
  ['a point in the sea', { ...goodRide, from: sea }, 'order.from', 'No road leads there.'],
  [
    'a place over 500 miles away',
    { ...goodRide, to: { name: 'Denver', detail: '', lon: -104.99, lat: 39.74 } },
    'order.to',
    'This place is more than 500 miles from the area Sameway covers.',
  ],
  [
    'a past time',
    { ...goodRide, departsAt: inHours(-1) },
    'order.departsAt',
    'Please select a departure time in the future.',
  ],
  [
    'a time too far ahead',
    { ...goodRide, departsAt: inHours(24 * 91) },
    'order.departsAt',
    'Please select a time within the next 90 days.',
  ],
  [
    'a time that is none',
    { ...goodRide, departsAt: 'tomorrow' },
    'order.departsAt',
    'Please select a date and time.',
  ],
  ['zero seats', { ...goodRide, seats: 0 }, 'order.seats', 'Please enter at least 1 seat.'],
  ['nine seats', { ...goodRide, seats: 9 }, 'order.seats', 'Please enter up to 8 seats.'],
  ['half a seat', { ...goodRide, seats: 1.5 }, 'order.seats'],
  [
    'a negative price',
    { ...goodRide, costCents: -100 },
    'order.costCents',
    'Please enter a price of zero or more.',
  ],
  [
    'a price of 49 cents',
    { ...goodRide, costCents: 49 },
    'order.costCents',
    'Please ask for at least $0.50, or make the ride free.',
  ],
  [
    'a price over the maximum',
    { ...goodRide, costCents: 50_001 },
    'order.costCents',
    'The maximum transaction amount allowed is $500.',
  ],
  [
    'a paid ride without a vehicle',
    { ...goodRide, costCents: 600 },
    'order.vehicleId',
    'Please add a vehicle first.',
  ],
  [
    'somebody else’s vehicle',
    { ...goodRide, vehicleId: crypto.randomUUID() },
    'order.vehicleId',
    'Please add a vehicle first.',
  ],
  ['tags without a tag', { ...goodRide, visibility: 'tags' }, 'order.tagIds'],
  ['somebody else’s tag', { ...goodRide, visibility: 'tags', tagIds: [crypto.randomUUID()] }, 'order.tagIds'],
  ['an unknown event', { ...goodRide, eventId: crypto.randomUUID() }, 'order.eventId'],
  [
    'a note of 501 characters',
    { ...goodRide, note: 'x'.repeat(501) },
    'order.note',
    'Please enter up to 500 characters.',
  ],
  [
    'an offer of exactly $5',
    { ...goodRequest, offerCents: 500 },
    'order.offerCents',
    'Please offer more than $5 per person to the driver.',
  ],
  ['a window that ends before it starts', { ...goodRequest, latestAt: inHours(23) }, 'order.latestAt'],
  [
    'a window in the past',
    { ...goodRequest, earliestAt: inHours(-3), latestAt: inHours(-2) },
    'order.latestAt',
    'Please select a departure time in the future.',
  ],
  ['no role', { ...goodRide, role: 'pilot' }, 'order.role'],
];

describe('bad input is refused by field, and nothing is stored', () => {
  test.each(badOrders)('%s', async (_name, order, field, info) => {
    const person = await app.person('Tester');
    const answer = await app.callUnchecked(person, createOrder, { order });
    expect(answer.code).toBe(422);
    const fields = refusedFields(answer);
    expect(Object.keys(fields)).toContain(field);
    if (info !== undefined) expect(fields[field]).toBe(info);
    expect((await app.platform.db.select().from(rides)).filter((row) => row.driverId === person.id)).toEqual(
      [],
    );
    expect(
      (await app.platform.db.select().from(requests)).filter((row) => row.passengerId === person.id),
    ).toEqual([]);
  });
});

test('two orders of one person do not overlap, not even when made at once', async () => {
  const person = await app.person('Busy');
  const answers = await Promise.all(
    [goodRide, goodRide, goodRequest].map((order) => app.call(person, createOrder, { order })),
  );
  expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
  const refused = answers.find((answer) => answer.code === 422)!;
  expect(refused).toMatchObject({
    reason: 'order.overlap',
    info: 'There is an existing ride at the same departure time, so choose a different time.',
  });
  await app.ok(person, createOrder, { order: { ...goodRide, departsAt: inHours(30) } });
});

test('the same tap twice makes one ride, and another person’s key is their own', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const idempotencyKey = crypto.randomUUID();
  const first = await app.call(mia, createOrder, { order: goodRide }, { idempotencyKey });
  const again = await app.call(mia, createOrder, { order: goodRide }, { idempotencyKey });
  expect(again).toEqual(first);
  expect((await app.call(leo, createOrder, { order: goodRide }, { idempotencyKey })).code).toBe(200);
  expect((await app.platform.db.select().from(rides)).filter((row) => row.driverId === mia.id)).toHaveLength(
    1,
  );
});

test('nobody has more than 20 open orders', async () => {
  const person = await app.person('Eager');
  for (let count = 0; count < 20; count++)
    await publishRide(app, person, { departsAt: inHours(24 + count * 3) });
  expect(
    await app.call(person, createOrder, { order: { ...goodRide, departsAt: inHours(200) } }),
  ).toMatchObject({ code: 422, reason: 'order.tooMany' });
});

test('a quote tells way, time, zone and the advised share; airports beyond the region are estimated', async () => {
  const way = await app.ok(null, quote, {
    fromLon: spots.westside.lon,
    fromLat: spots.westside.lat,
    toLon: spots.aptos.lon,
    toLat: spots.aptos.lat,
  });
  const miles = way.route.metres / 1609.344;
  expect(miles).toBeGreaterThan(7);
  expect(way).toMatchObject({
    timeZone: 'America/Los_Angeles',
    advisedShareCents: Math.round(miles * 21),
    route: { estimated: false },
  });
  const airport = await app.ok(null, quote, {
    fromLon: spots.westside.lon,
    fromLat: spots.westside.lat,
    toLon: -121.929,
    toLat: 37.3639,
  });
  expect(airport.route).toMatchObject({ estimated: true });
  expect(airport.route.seconds / 60).toBeGreaterThan(35);
});

test('circles: contacts and tags see what all users do not; a guest sees only what all users see', async () => {
  const [driver, friend, stranger] = [
    await app.person('Driver'),
    await app.person('Friend'),
    await app.person('Stranger'),
  ];
  await befriend(app.platform, driver.id, friend.id);
  const { id: tagId } = await createTag(app.platform, driver.id, 'Climbing', [friend.id]);
  const forContacts = await publishRide(app, driver, { visibility: 'all contacts' });
  const forTag = await publishRide(app, driver, {
    visibility: 'tags',
    tagIds: [tagId],
    departsAt: inHours(28),
  });
  const at = { lon: spots.westside.lon, lat: spots.westside.lat, role: 'driver' as const };
  const seenBy = async (who: typeof friend | null) => {
    const ids: string[] = [];
    for (let offset = 0; ; offset += 20) {
      const { orders, total } = await app.ok(who, discover, { ...at, offset });
      ids.push(...orders.map((order) => order.id));
      if (offset + 20 >= total) return ids;
    }
  };
  expect(await seenBy(friend)).toEqual(expect.arrayContaining([forContacts.id, forTag.id]));
  for (const who of [stranger, null]) {
    const ids = await seenBy(who);
    expect(ids).not.toContain(forContacts.id);
    expect(ids).not.toContain(forTag.id);
  }
});

test('orders nearby come soonest first, page by page; a statement looks for those of the role alone that is asked for', async () => {
  const [driver, passenger, viewer] = [
    await app.person('Driver'),
    await app.person('Passenger'),
    await app.person('Viewer'),
  ];
  const hours = [31, 29, 33];
  const rides = [];
  for (const hour of hours) rides.push(await publishRide(app, driver, { departsAt: inHours(hour) }));
  const request = await publishRequest(app, passenger, { earliestAt: inHours(30), latestAt: inHours(30.5) });
  const at = { lon: spots.westside.lon, lat: spots.westside.lat };
  const pages = async (role?: 'driver' | 'passenger') => {
    const ids: string[] = [];
    for (let offset = 0; ; offset += 20) {
      const { orders, total } = await app.ok(viewer, discover, { ...at, offset, ...(role && { role }) });
      ids.push(...orders.map(({ id }) => id));
      if (offset + 20 >= total) {
        expect(ids).toHaveLength(total);
        return ids;
      }
    }
  };
  const own = new Set([...rides, request].map(({ id }) => id));
  const [second, first, third] = rides.map(({ id }) => id);
  expect((await pages()).filter((id) => own.has(id))).toEqual([first, request.id, second, third]);
  expect((await pages('passenger')).filter((id) => own.has(id))).toEqual([request.id]);

  const texts = await statementsOf(async () => {
    expect((await pages('driver')).filter((id) => own.has(id))).toEqual([first, second, third]);
  });
  const finding = texts.filter((text) => /generate_series/.test(text));
  expect(finding.length).toBeGreaterThan(0);
  for (const text of finding) expect(text).not.toMatch(/"requests"|"from_name"/);
});

test('a draft is matched before it is published, for guests too; a draft without a start is refused', async () => {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const ride = await publishRide(app, driver, {
    vehicleId: await addVehicle(app, driver),
    costCents: 700,
  });
  const draft = {
    fromLon: spots.downtown.lon,
    fromLat: spots.downtown.lat,
    toLon: spots.capitola.lon,
    toLat: spots.capitola.lat,
    earliestAt: inHours(23.5),
    latestAt: inHours(24.7),
    seats: 1,
  };
  const found = await app.ok(null, match, draft);
  expect(found.candidates.find((candidate) => candidate.ride.id === ride.id)).toMatchObject({
    fareCents: 700,
    booking: null,
    request: null,
  });
  expect(
    (await app.ok(null, match, { ...draft, offerCents: 600 })).candidates.some(
      (candidate) => candidate.ride.id === ride.id,
    ),
  ).toBe(false);
  expect(await app.call(null, match, { toLon: 1, toLat: 1 })).toMatchObject({
    code: 422,
    data: { fields: { from: 'Please verify the starting point.' } },
  });
  const passenger = await app.person('Passenger');
  const request = await publishRequest(app, passenger);
  expect(await app.call(null, match, { id: request.id })).toMatchObject({ code: 400 });
});
