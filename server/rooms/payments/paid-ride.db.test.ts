import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorize, earnings, receipts } from '#contract/payments/endpoints.ts';
import { accept, arrive, askToJoin, orderDetail } from '#contract/rides/endpoints.ts';
import type { Booking, Request } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../base/clock.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { addCard, answerPage, onboard, testNumbers } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ env: { PUBLIC_URL: 'https://sameway.example' } });
});
afterAll(() => house.close());

async function paidRide(more: Record<string, unknown> = {}) {
  const driver = await house.person('Driver');
  await onboard(house, driver);
  const vehicleId = await addVehicle(house, driver);
  const ride = await publishRide(house, driver, { vehicleId, costCents: 2000, ...more });
  return { driver, ride };
}

async function asked(ride: { id: string; departsAt: string }, card?: string) {
  const passenger = await house.person('Passenger');
  if (card !== undefined) await addCard(house, passenger, card);
  const departsAt = new Date(ride.departsAt);
  const request = await publishRequest(house, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await house.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return { passenger, requestId: request.id, bookingId: order.bookings[0]!.id };
}

async function bookingOf(who: TestPerson, requestId: string): Promise<Booking> {
  const { order } = await house.ok(who, orderDetail, { id: requestId });
  return (order as Request).bookings.at(-1)!;
}

test('a share is held when both have said yes, taken when the ride ends, less the fee', async () => {
  const { driver, ride } = await paidRide();
  const { passenger, requestId, bookingId } = await asked(ride, testNumbers.good);
  const { booking } = await house.ok(driver, accept, { bookingId });
  expect(booking).toMatchObject({ state: 'joined', payment: { state: 'requires_capture', heldCents: 2000 } });
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: 'requires_capture',
    need: null,
    amountCents: 2000,
    takenCents: 0,
  });
});
