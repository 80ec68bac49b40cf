import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import type { SignalPayloads } from '../../platform/events/signals.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { emitted } from '../../testing/emitted.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

/** Delivers, and returns who is asked in the open app to read a ride again, and the statements meanwhile. */
async function deliver(rideId: string): Promise<{ told: string[]; asked: string[] }> {
  const told: string[] = [];
  vi.spyOn(app.platform.realtime, 'tell').mockImplementation((...all) => {
    const [userIds, , said] = all;
    if (said !== undefined && 'topic' in said && said.topic === 'order' && said.id === rideId)
      told.push(...userIds);
  });
  const asked = await statementsOf(() => app.deliver());
  vi.restoreAllMocks();
  return { told: told.toSorted(), asked };
}

test('the others in the car are told of a move as its signal names them, and read where it does not', async () => {
  const [driver, first, second] = [
    await app.person('Dora'),
    await app.person('Fay'),
    await app.person('Sam'),
  ];
  const ride = await publishRide(app, driver, { costCents: 0 });
  const request = await publishRequest(app, first);
  const { order } = await app.ok(first, askToJoin, { rideId: ride.id, requestId: request.id, message: '' });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  await app.deliver();
  const other = await publishRequest(app, second);
  await app.deliver();
  await app.ok(second, askToJoin, { rideId: ride.id, requestId: other.id, message: '' });
  const moved = (await emitted(app.platform.db, 'booking.moved')).at(-1)!;
  const payload = moved.payload as SignalPayloads['booking.moved'];
  expect(payload).toMatchObject({ move: 'ask', otherPassengerIds: [first.id], eventId: null });
  const named = await deliver(ride.id);
  expect(named.told).toEqual([driver.id, first.id].toSorted());
  expect(named.asked.filter((text) => /from "bookings"/.test(text))).toEqual([]);

  // A ride with more people than a signal names.
  const { otherPassengerIds: _, eventId: __, ...unnamed } = payload;
  await app.platform.transact('test', (tx) =>
    app.platform.outbox.emit(tx, 'booking.moved', unnamed, ride.id),
  );
  const read = await deliver(ride.id);
  expect(read.told).toEqual(named.told);
});
