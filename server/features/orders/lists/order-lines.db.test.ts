import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, reject } from '#contract/rides/endpoints.ts';
import type { Order } from '#contract/rides/views.ts';
import { hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { statementsOf } from '../../../testing/booking-statements.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { requestsByIds, ridesByIds } from '../store.ts';
import { rideViews, requestViews } from '../order-views.ts';
import { orderLines } from './order-lines.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const ofView = (order: Order) => {
  const { id, role, from, to, timeZone, mine } = order;
  const common = { id, role, from, to, timeZone, mine };
  return order.role === 'driver'
    ? { ...common, person: order.driver, at: order.departsAt, seats: order.seatsFree }
    : { ...common, person: order.passenger, at: order.earliestAt, seats: order.seats };
};

test('a line tells owners, passengers on board, those who were declined, strangers and guests what the view tells them', async () => {
  const driver = await app.person('Dana Driver');
  const stranger = await app.person('Sam Stranger');
  const passengers: TestPerson[] = [];
  // Not at a whole minute: a stranger sees a rounded one.
  const departsAt = later(
    app.clock.now(),
    24 * hourMs + 17 * secondMs - (app.clock.now().getTime() % minuteMs),
  );
  const rideIds = [
    (await publishRide(app, driver, { departsAt: departsAt.toISOString() })).id,
    (await publishRide(app, stranger)).id,
  ];
  const requestIds: string[] = [];
  for (const name of ['Pat Passenger', 'Jo Joined', 'Dee Declined']) {
    const passenger = await app.person(name);
    passengers.push(passenger);
    requestIds.push((await publishRequest(app, passenger)).id);
  }
  const ask = async (index: number) => {
    const asked = { rideId: rideIds[0]!, requestId: requestIds[index]! };
    return (await app.ok(passengers[index]!, askToJoin, asked)).order.bookings[0]!.id;
  };
  await app.ok(driver, accept, { bookingId: await ask(1) });
  await app.ok(driver, reject, { bookingId: await ask(2), reason: 'The trunk is full.' });
  const { db } = app.platform;
  const rides = await ridesByIds(db, rideIds);
  const requests = await requestsByIds(db, requestIds);
  for (const viewer of [driver, stranger, ...passengers, null]) {
    const viewerId = viewer?.id ?? null;
    const views = [
      ...(await rideViews(app.platform, rides, viewerId)),
      ...(await requestViews(app.platform, requests, viewerId)),
    ];
    expect(await orderLines(app.platform, { rides, requests }, viewerId), viewerId ?? 'guest').toEqual(
      views.map(ofView),
    );
  }
  const lines = await orderLines(app.platform, { rides, requests }, null);
  expect(lines.map(({ seats }) => seats)).toContain(rides[0]!.seats - 1);
  expect(new Date(lines[0]!.at).getTime() % minuteMs).toBe(0);
  const statements = await statementsOf(() => orderLines(app.platform, { rides, requests }, null));
  expect(statements.length).toBeGreaterThan(1);
  expect(statements.filter((text) => text.includes('bookings'))).toEqual([]);
});
