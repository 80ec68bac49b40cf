import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, cancelOrder, createOrder, orderDetail } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { orderSpans, rides } from '../../../schema/rides.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../../testing/house.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => house.close());

const spanEnd = async (orderId: string): Promise<Date> => {
  const [row] = await house.platform.db
    .select({ end: sql<string>`upper(${orderSpans.during})` })
    .from(orderSpans)
    .where(eq(orderSpans.orderId, orderId));
  return new Date(row!.end);
};
const arrivesAt = async (rideId: string): Promise<Date> =>
  (await house.platform.db.select().from(rides).where(eq(rides.id, rideId)))[0]!.arrivesAt;

/** A ride and a passenger who lives far off its way. */
async function farOff(driver: TestPerson, passenger: TestPerson) {
  const ride = await publishRide(house, driver, { maxDetourMinutes: 45 });
  const request = await publishRequest(house, passenger, { from: spots.scottsValley, to: spots.soquel });
  return { ride, request, ids: { rideId: ride.id, requestId: request.id } };
}

/** The driver's next ride, begun when the one before ends as it was published. */
const nextRide = (departsAt: Date) => ({
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
  const [driver, passenger] = [await house.person('Dora'), await house.person('Pat')];
  const { ride, request, ids } = await farOff(driver, passenger);
  const asPublished = await spanEnd(ride.id);
  const { order } = await house.ok(passenger, askToJoin, ids);
  await house.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  expect(await spanEnd(ride.id)).toEqual(await arrivesAt(ride.id));
  expect((await arrivesAt(ride.id)).getTime()).toBeGreaterThan(asPublished.getTime() + 5 * minuteMs);

  const next = { order: nextRide(asPublished) } as never;
  expect(await house.call(driver, createOrder, next)).toMatchObject({ reason: 'order.overlap' });
  await house.ok(passenger, cancelOrder, { id: request.id });
  expect(await spanEnd(ride.id)).toEqual(asPublished);
  await house.ok(driver, createOrder, next);
});

test('a detour that would run into the driver’s next ride cannot be asked for, nor accepted where that ride came later', async () => {
  const [driver, passenger] = [await house.person('Dirk'), await house.person('Pia')];
  const { ride, ids } = await farOff(driver, passenger);
  const asPublished = await spanEnd(ride.id);
  const { order } = await house.ok(passenger, askToJoin, ids);
  const next = (await house.ok(driver, createOrder, { order: nextRide(asPublished) } as never)) as Ride;
  const bookingId = order.bookings[0]!.id;
  const refused = { code: 409, reason: 'match.noFit' };
  expect(await house.call(driver, accept, { bookingId })).toMatchObject(refused);
  expect(((await house.ok(driver, orderDetail, { id: ride.id })).order as Ride).bookings[0]!.state).toBe(
    'requesting',
  );
  expect(await spanEnd(ride.id)).toEqual(asPublished);
  const late = await house.person('Lea');
  const request = await publishRequest(house, late, { from: spots.scottsValley, to: spots.soquel });
  const ask = { rideId: ride.id, requestId: request.id };
  expect(await house.call(late, askToJoin, ask)).toMatchObject(refused);

  await house.ok(driver, cancelOrder, { id: next.id });
  await house.ok(driver, accept, { bookingId });
  expect(await spanEnd(ride.id)).toEqual(await arrivesAt(ride.id));
});

test('the time of a passenger lasts until they have got out: their next ride does not begin before', async () => {
  const [driver, passenger] = [await house.person('Dan'), await house.person('Paul')];
  const departsAt = later(house.clock.now(), 2 * dayMs);
  const ride = await publishRide(house, driver, { departsAt: departsAt.toISOString() });
  const request = await publishRequest(house, passenger, {
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
  const early = await publishRequest(house, passenger, onward(asked));
  const ids = { rideId: ride.id, requestId: request.id };
  // Getting in takes a moment: they arrive after the time that a drive without a stop would take.
  expect(await house.call(passenger, askToJoin, ids)).toMatchObject({ reason: 'match.noFit' });
  await house.ok(passenger, cancelOrder, { id: early.id });
  const { order } = await house.ok(passenger, askToJoin, ids);
  const bookingId = order.bookings[0]!.id;
  await house.ok(driver, accept, { bookingId });
  const joined = await spanEnd(request.id);
  expect(joined.getTime()).toBeGreaterThan(asked.getTime());
  await publishRequest(house, passenger, onward(joined));
  // Left alone by the driver they have the time of their request again.
  await house.ok(driver, cancelOrder, { id: ride.id, bookingId, reason: 'No room after all' });
  expect((await spanEnd(request.id)).getTime()).toBeGreaterThanOrEqual(asked.getTime());
});
