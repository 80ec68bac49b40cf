import { afterAll, expect, test } from 'vitest';
import { askToJoin, match, orderDetail } from '#contract/rides/endpoints.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { openTestApp } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

/**
 * A ride that can wait for an hour, a request that fits all of it, and the clock 40 minutes after its first
 * departure.
 */
async function late(fields: Record<string, unknown> = {}) {
  const [driver, passenger] = [await app.person('Dan'), await app.person('Pia')];
  const departsMs = app.clock.now().getTime() + 3 * 60 * minuteMs;
  const departsAt = new Date(departsMs).toISOString();
  const ride = await publishRide(app, driver, { departsAt, flexMinutes: 60, ...fields });
  const request = await publishRequest(app, passenger, {
    from: spots.downtown,
    earliestAt: new Date(departsMs - 10 * minuteMs).toISOString(),
    latestAt: new Date(departsMs + 100 * minuteMs).toISOString(),
  });
  app.clock.moveTo(new Date(departsMs + 40 * minuteMs));
  return { driver, passenger, ride, request };
}

test('a ride that can still wait is found and joined with a pick-up that is to come', async () => {
  const { passenger, ride, request } = await late({ instant: true });
  const nowMs = app.clock.now().getTime();
  const { candidates } = await app.ok(passenger, match, { id: request.id });
  const found = candidates.find((each) => each.ride.id === ride.id)!;
  expect(Date.parse(found.departsAt)).toBeGreaterThanOrEqual(nowMs - minuteMs);
  expect(Date.parse(found.pickup.at)).toBeGreaterThan(nowMs);
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const [booking] = order.bookings;
  expect(booking!.state).toBe('waiting');
  expect(Date.parse(booking!.pickup.at)).toBeGreaterThan(nowMs);
  expect(booking!.may).not.toContain('reportDriver');
});

test('an ask within a ride’s flexibility has time for its answer', async () => {
  const { passenger, ride, request } = await late();
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const [booking] = order.bookings;
  const leftMs = Date.parse(booking!.expiresAt!) - app.clock.now().getTime();
  expect(leftMs).toBeGreaterThan(9 * minuteMs);
  app.clock.advance(minuteMs);
  await app.scheduler.tick();
  const { order: after } = await app.ok(passenger, orderDetail, { id: request.id });
  expect(after.bookings[0]).toMatchObject({ state: 'requesting' });
});

test('whoever would have to walk longer than there is time for is met elsewhere, or not at all', async () => {
  const { passenger, ride, request } = await late();
  // Three minutes before the last departure no one is sent ten minutes on foot.
  app.clock.moveTo(new Date(Date.parse(ride.latestDepartsAt) - 3 * minuteMs));
  const nowMs = app.clock.now().getTime();
  const { candidates } = await app.ok(passenger, match, { id: request.id });
  for (const { pickup } of candidates)
    expect(Date.parse(pickup.at)).toBeGreaterThanOrEqual(
      nowMs + (pickup.walkMetres / 80) * minuteMs - minuteMs,
    );
});

test('the departure of a ride that nobody has joined moves along with the clock, within its flexibility', async () => {
  const { driver, ride } = await late();
  await app.scheduler.tick();
  const shown = async () => {
    const { order } = await app.ok(driver, orderDetail, { id: ride.id });
    return order.role === 'driver' ? order : null;
  };
  const moved = (await shown())!;
  const nowMs = app.clock.now().getTime();
  expect(Date.parse(moved.departsAt)).toBeGreaterThan(nowMs);
  expect(Date.parse(moved.departsAt)).toBeLessThanOrEqual(nowMs + 5 * minuteMs);
  expect(Date.parse(moved.arrivesAt) - Date.parse(moved.departsAt)).toBe(
    Date.parse(ride.arrivesAt) - Date.parse(ride.departsAt),
  );
  app.clock.moveTo(new Date(Date.parse(ride.latestDepartsAt) - 1000));
  await app.scheduler.tick();
  expect((await shown())!.departsAt).toBe(ride.latestDepartsAt);
});
