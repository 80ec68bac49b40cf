import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askToJoin,
  audience,
  createOrder,
  discover,
  explain,
  invite,
  match,
  orderDetail,
} from '#contract/rides/endpoints.ts';
import { blocks } from '../../schema/contacts.ts';
import { users } from '../../schema/identity.ts';
import { onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots, type RideInput } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { roadNetwork } from '../geo/region-roads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T15:00:00Z') });
});
afterAll(() => app.close());

const inHours = (hours: number) =>
  new Date(app.clock.now().getTime() + Math.round(hours * 60) * 60_000).toISOString();

async function pricedRide(fields: Record<string, unknown> = {}) {
  const driver = await app.person('Mia');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const ride = await publishRide(app, driver, { vehicleId, costCents: 850, ...fields });
  return { driver, ride };
}
const block = (blocker: TestPerson, blocked: TestPerson) =>
  app.platform.db
    .insert(blocks)
    .values({ blockerId: blocker.id, blockedId: blocked.id, createdAt: app.clock.now() });
const refused = async (answer: ReturnType<TestApp['call']>) => (await answer).reason;

test('an offer too low: the passenger reads by how much, the draft as well, and who offers that fits', async () => {
  const { driver, ride } = await pricedRide({ departsAt: inHours(24) });
  const passenger = await app.person('Noah');
  const request = await publishRequest(app, passenger, { offerCents: 700 });
  const { candidates, nearMisses } = await app.ok(passenger, match, { id: request.id });
  expect(candidates).toEqual([]);
  expect(nearMisses).toMatchObject([
    { ride: { id: ride.id }, rule: 'price', change: { kind: 'offerMore', cents: 150 }, by: 'me' },
  ]);
  expect((await app.ok(driver, match, { id: ride.id })).nearMisses).toMatchObject([
    { request: { id: request.id }, change: { kind: 'offerMore', cents: 150 }, by: 'other' },
  ]);
  const draft = (offerCents: number) => ({
    fromLon: spots.downtown.lon,
    fromLat: spots.downtown.lat,
    toLon: spots.capitola.lon,
    toLat: spots.capitola.lat,
    earliestAt: inHours(23.5),
    latestAt: inHours(24.75),
    offerCents,
  });
  expect((await app.ok(null, match, draft(700))).nearMisses).toMatchObject([
    { change: { kind: 'offerMore', cents: 150 } },
  ]);
  expect(await app.ok(null, match, draft(850))).toMatchObject({ total: 1, nearMisses: [] });
  // The second page has no near misses of its own.
  expect((await app.ok(null, match, { ...draft(700), offset: 20 })).nearMisses).toEqual([]);

  const answer = await app.ok(passenger, explain, { rideId: ride.id, requestId: request.id });
  expect(answer.fits).toBe(false);
  expect(answer.rules.filter(({ ok }) => !ok)).toEqual([
    { rule: 'price', ok: false, have: 700, need: 850, unit: 'cents' },
  ]);
  // Each side is shown the other's rounded places, so their times may differ by a minute.
  const told = await app.ok(driver, explain, { rideId: ride.id, requestId: request.id });
  expect(told.rules.map(({ rule, ok }) => [rule, ok])).toEqual(
    answer.rules.map(({ rule, ok }) => [rule, ok]),
  );
});

test('only the two people are told, and only while they may see each other', async () => {
  const { driver, ride } = await pricedRide({ departsAt: inHours(48) });
  const passenger = await app.person('Olga');
  const window = { earliestAt: inHours(47.5), latestAt: inHours(48.75), offerCents: 700 };
  const request = await publishRequest(app, passenger, window);
  const pair = { rideId: ride.id, requestId: request.id };
  const stranger = await app.person('Stranger');
  expect(await refused(app.call(stranger, explain, pair))).toBe('order.notFound');
  await app.ok(passenger, explain, pair);
  await block(passenger, driver);
  expect(await refused(app.call(passenger, explain, pair))).toBe('order.notFound');
  expect(await refused(app.call(driver, explain, pair))).toBe('order.notFound');
  expect((await app.ok(passenger, match, { id: request.id })).nearMisses).toEqual([]);
  expect((await app.ok(driver, match, { id: ride.id })).nearMisses).toEqual([]);

  const hidden = await pricedRide({ departsAt: inHours(48), visibility: 'private' });
  expect((await app.ok(passenger, match, { id: request.id })).nearMisses).toEqual([]);
  expect(
    await refused(app.call(hidden.driver, explain, { rideId: hidden.ride.id, requestId: request.id })),
  ).toBe('order.notFound');
});

test('a driver reads how many waiting people can see the ride and how many fit; nobody else does', async () => {
  const day = 96;
  const { driver, ride } = await pricedRide({ departsAt: inHours(day) });
  const before = await app.ok(driver, audience, { id: ride.id });
  const window = { earliestAt: inHours(day - 0.5), latestAt: inHours(day + 0.75) };
  await publishRequest(app, await app.person('Fits'), window);
  await publishRequest(app, await app.person('Other way'), {
    ...window,
    from: spots.scottsValley,
    to: spots.campus,
  });
  const blocked = await app.person('Blocked');
  await publishRequest(app, blocked, window);
  await block(driver, blocked);
  expect(await app.ok(driver, audience, { id: ride.id })).toEqual({
    canSee: before.canSee + 2,
    fit: before.fit + 1,
  });
  expect(await refused(app.call(blocked, audience, { id: ride.id }))).toBe('order.notFound');
});

test('a draft on a road without a name gets its answer, the stop without a name', async () => {
  const { streets, network } = nameless();
  expect(streets).toHaveLength(2);
  const [from, to] = streets.map(({ lon, lat }) => ({ name: 'Unnamed', detail: '', lon, lat }));
  const departsAt = inHours(120);
  await publishRide(app, await app.person('Ines'), { from, to, departsAt });
  const found = await app.ok(null, match, {
    fromLon: from!.lon,
    fromLat: from!.lat,
    toLon: to!.lon,
    toLat: to!.lat,
    earliestAt: inHours(119.75),
    latestAt: inHours(120.5),
  });
  expect(network.snap(from!)?.streetName ?? '').toBe('');
  expect(found.candidates).toMatchObject([{ pickup: { name: '' }, dropoff: { name: '' } }]);
});

/** Two points on roads without a name, a few kilometres apart. */
function nameless() {
  const network = roadNetwork(app.platform);
  const streets: { lon: number; lat: number }[] = [];
  for (let step = 0; step < 4000 && streets.length < 2; step++) {
    const at = { lon: -122.08 + (step % 80) * 0.002, lat: 36.96 + Math.floor(step / 80) * 0.002 };
    const point = network.snap(at);
    const [first] = streets;
    if (point === null || point.metresFromRoad > 20 || (point.streetName ?? '') !== '') continue;
    if (first !== undefined && Math.abs(first.lon - at.lon) + Math.abs(first.lat - at.lat) < 0.03) continue;
    streets.push({ lon: point.lon, lat: point.lat });
  }
  return { streets, network };
}

test('a pet needs a ride that takes it, and no near miss says to leave it at home; quiet is a wish', async () => {
  const day = 144;
  const window = { earliestAt: inHours(day - 0.5), latestAt: inHours(day + 0.75) };
  const { ride: without } = await pricedRide({ departsAt: inHours(day), preferences: { quiet: true } });
  const { driver, ride } = await pricedRide({ departsAt: inHours(day), preferences: { pets: true } });
  const passenger = await app.person('Ivy');
  const preferences = { pets: true, quiet: true };
  const request = await publishRequest(app, passenger, { ...window, preferences });
  const found = await app.ok(passenger, match, { id: request.id });
  expect(found).toMatchObject({ candidates: [{ ride: { id: ride.id } }], nearMisses: [] });
  expect(found.candidates[0]!.reasons).toEqual(
    expect.arrayContaining([
      { kind: 'notQuiet', askedBy: 'passenger' },
      { kind: 'prefers', what: 'pets' },
    ]),
  );
  const { rules, fits } = await app.ok(passenger, explain, { rideId: without.id, requestId: request.id });
  expect(fits).toBe(false);
  expect(rules.filter(({ ok }) => !ok)).toEqual([
    { rule: 'preferences', ok: false, have: 0, need: 1, unit: 'things' },
  ]);
  const pair = { rideId: without.id, requestId: request.id };
  expect(await refused(app.call(passenger, askToJoin, pair))).toBe('match.noFit');
  expect((await app.ok(driver, match, { id: ride.id })).candidates).toMatchObject([
    { request: { id: request.id, preferences: { pets: true, quiet: true, women: false } } },
  ]);
  // A passenger who prefers quiet finds the quiet ride first.
  const draft = {
    fromLon: spots.downtown.lon,
    fromLat: spots.downtown.lat,
    toLon: spots.capitola.lon,
    toLat: spots.capitola.lat,
    ...window,
  };
  const first = async (query: string) =>
    (await app.ok(null, match, { ...draft, preferences: query })).candidates[0]!.ride.id;
  expect(await first('quiet')).toBe(without.id);
  expect(await first('pets')).toBe(ride.id);
});

test('women among themselves: both have chosen it and both profiles say so, or neither finds the other', async () => {
  const day = 168;
  const window = { earliestAt: inHours(day - 0.5), latestAt: inHours(day + 0.75) };
  const women = { preferences: { women: true } };
  const { db } = app.platform;
  const woman = async (name: string) => {
    const person = await app.person(name);
    await db.update(users).set({ gender: 'female' }).where(eq(users.id, person.id));
    return person;
  };
  expect(
    await app.call(await app.person('Ned'), createOrder, {
      order: { ...rideOrder(day), ...women },
    }),
  ).toMatchObject({
    code: 422,
    reason: 'order.womenNotAllowed',
    data: { fields: { 'order.preferences.women': expect.any(String) } },
  });
  const [driver, passenger, other] = [await woman('Ada'), await woman('Bea'), await woman('Cleo')];
  const ride = await publishRide(app, driver, { departsAt: inHours(day), ...women });
  expect(ride.preferences.women).toBe(true);
  const requests = {
    chose: await publishRequest(app, passenger, { ...window, ...women }),
    didNot: await publishRequest(app, other, window),
    cannot: await publishRequest(app, await app.person('Otto'), window),
  };
  const found = await app.ok(passenger, match, { id: requests.chose.id });
  expect(found.candidates).toMatchObject([{ ride: { id: ride.id, preferences: { women: false } } }]);
  expect(found.candidates[0]!.reasons).toContainEqual({ kind: 'prefers', what: 'women' });
  const seen = await app.ok(driver, match, { id: ride.id });
  expect(seen.candidates.map(({ request }) => request!.id)).toEqual([requests.chose.id]);
  expect(seen.nearMisses).toEqual([]);
  const none = await app.ok(other, match, { id: requests.didNot.id });
  expect([none.candidates, none.nearMisses]).toEqual([[], []]);
  const draft = {
    fromLon: spots.downtown.lon,
    fromLat: spots.downtown.lat,
    toLon: spots.capitola.lon,
    toLat: spots.capitola.lat,
    ...window,
  };
  for (const viewer of [null, other, passenger])
    expect(await app.ok(viewer, match, draft)).toMatchObject({ candidates: [], nearMisses: [], total: 0 });
  expect((await app.ok(passenger, match, { ...draft, preferences: 'women' })).total).toBe(1);
  expect(await app.call(null, match, { ...draft, preferences: 'women' })).toMatchObject({ code: 422 });
  // No other person learns that such a ride exists, nor why it does not fit.
  expect(await refused(app.call(other, explain, { rideId: ride.id, requestId: requests.didNot.id }))).toBe(
    'order.notFound',
  );
  expect(await app.ok(driver, audience, { id: ride.id })).toEqual({ canSee: 1, fit: 1 });
  const around = { lon: spots.westside.lon, lat: spots.westside.lat };
  for (const viewer of [null, other])
    expect((await app.ok(viewer, discover, around)).orders.map(({ id }) => id)).not.toContain(ride.id);
  const ottos = requests.cannot;
  expect(await refused(app.call(driver, invite, { rideId: ride.id, requestId: ottos.id }))).toBe(
    'order.notFound',
  );
  // A profile that says otherwise by now is enough.
  await db.update(users).set({ gender: 'prefer not to say' }).where(eq(users.id, driver.id));
  expect((await app.ok(passenger, match, { id: requests.chose.id })).total).toBe(0);
  expect(await app.call(passenger, orderDetail, { id: ride.id })).toMatchObject({ code: 404 });
});

const rideOrder = (day: number): RideInput => ({
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  departsAt: inHours(day),
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
});
