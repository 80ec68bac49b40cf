import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, cancelOrder, createOrder, orderDetail } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { orderSpans, rides } from '../../../schema/rides.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots, type RideInput } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const spanEnd = async (orderId: string): Promise<Date> => {
  const [row] = await app.platform.db
    .select({ end: sql<string>`upper(${orderSpans.during})` })
    .from(orderSpans)
    .where(eq(orderSpans.orderId, orderId));
  return new Date(row!.end);
};
const arrivesAt = async (rideId: string): Promise<Date> =>
  (await app.platform.db.select().from(rides).where(eq(rides.id, rideId)))[0]!.arrivesAt;

/** A ride and a passenger who lives far off its route. */
async function farOff(driver: TestPerson, passenger: TestPerson) {
  const ride = await publishRide(app, driver, { maxDetourMinutes: 45 });
  const request = await publishRequest(app, passenger, { from: spots.scottsValley, to: spots.soquel });
  return { ride, request, ids: { rideId: ride.id, requestId: request.id } };
}

/** The driver's next ride, begun when the one before ends as it was published. */
const nextRide = (departsAt: Date): RideInput => ({
  role: 'driver',
  from: spots.aptos,
  to: spots.westside,
  departsAt: departsAt.toISOString(),
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
});

test('detours that a driver has accepted lengthen the time of the ride: no other ride begins in it, until the passenger has left', async () => {
  const [driver, passenger] = [await app.person('Dora'), await app.person('Pat')];
  const { ride, request, ids } = await farOff(driver, passenger);
  const asPublished = await spanEnd(ride.id);
  const { order } = await app.ok(passenger, askToJoin, ids);
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  expect(await spanEnd(ride.id)).toEqual(await arrivesAt(ride.id));
  expect((await arrivesAt(ride.id)).getTime()).toBeGreaterThan(asPublished.getTime() + 5 * minuteMs);

  const next = { order: nextRide(asPublished) };
  expect(await app.call(driver, createOrder, next)).toMatchObject({ reason: 'order.overlap' });
  await app.ok(passenger, cancelOrder, { id: request.id });
  expect(await spanEnd(ride.id)).toEqual(asPublished);
  await app.ok(driver, createOrder, next);
});

test('a detour that would run into the driver’s next ride cannot be asked for, nor accepted where that ride came later', async () => {
  const [driver, passenger] = [await app.person('Dirk'), await app.person('Pia')];
  const { ride, ids } = await farOff(driver, passenger);
  const asPublished = await spanEnd(ride.id);
  const { order } = await app.ok(passenger, askToJoin, ids);
  const next = (await app.ok(driver, createOrder, { order: nextRide(asPublished) })) as Ride;
  const bookingId = order.bookings[0]!.id;
  const refused = { code: 409, reason: 'match.noFit' };
  expect(await app.call(driver, accept, { bookingId })).toMatchObject(refused);
  expect(((await app.ok(driver, orderDetail, { id: ride.id })).order as Ride).bookings[0]!.state).toBe(
    'requesting',
  );
  expect(await spanEnd(ride.id)).toEqual(asPublished);
  const late = await app.person('Lea');
  const request = await publishRequest(app, late, { from: spots.scottsValley, to: spots.soquel });
  const ask = { rideId: ride.id, requestId: request.id };
  expect(await app.call(late, askToJoin, ask)).toMatchObject(refused);

  await app.ok(driver, cancelOrder, { id: next.id });
  await app.ok(driver, accept, { bookingId });
  expect(await spanEnd(ride.id)).toEqual(await arrivesAt(ride.id));
});

test('the time of a passenger lasts until they have got out: their next ride does not begin before', async () => {
  const [driver, passenger] = [await app.person('Dan'), await app.person('Paul')];
  const departsAt = later(app.clock.now(), 2 * dayMs);
  const ride = await publishRide(app, driver, { departsAt: departsAt.toISOString() });
  const request = await publishRequest(app, passenger, {
    from: spots.westside,
    earliestAt: later(departsAt, -10 * minuteMs).toISOString(),
    latestAt: departsAt.toISOString(),
  });
  const asked = await spanEnd(request.id);
  const onward = (from: Date) => ({
    from: spots.capitola,
    to: spots.aptos,
    earliestAt: from.toISOString(),
    latestAt: later(from, 30 * minuteMs).toISOString(),
  });
  const early = await publishRequest(app, passenger, onward(asked));
  const ids = { rideId: ride.id, requestId: request.id };
  // Getting in takes a moment: they arrive after the time that a drive without a stop would take.
  expect(await app.call(passenger, askToJoin, ids)).toMatchObject({ reason: 'match.noFit' });
  await app.ok(passenger, cancelOrder, { id: early.id });
  const { order } = await app.ok(passenger, askToJoin, ids);
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  const joined = await spanEnd(request.id);
  expect(joined.getTime()).toBeGreaterThan(asked.getTime());
  await publishRequest(app, passenger, onward(joined));
  // Left alone by the driver they have the time of their request again.
  await app.ok(driver, cancelOrder, { id: ride.id, bookingId, reason: 'No room after all' });
  expect((await spanEnd(request.id)).getTime()).toBeGreaterThanOrEqual(asked.getTime());
});
