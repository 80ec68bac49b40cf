import { afterAll, beforeAll, expect, test } from 'vitest';
import { msgList, roomList, sendMessage } from '#contract/chat/endpoints.ts';
import { createReview, listReviews, pendingReviews } from '#contract/reviews/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  confirmMeeting,
  depart,
  listOrders,
  match,
  matchMap,
  orderDetail,
  orderTimeline,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import { openTestHouse, type TestHouse } from '../../testing/house.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => house.close());

test('a driver and a passenger find each other, ride together, and review each other', async () => {
  const driver = await house.person('Dora Driver');
  const passenger = await house.person('Pat Passenger');
  const vehicleId = await addVehicle(house, driver);
  await onboard(house, driver);
  await addCard(house, passenger);
  const ride = await publishRide(house, driver, { vehicleId, costCents: 650 });
  expect(ride).toMatchObject({
    state: 'matching',
    stage: 'Matching',
    seatsFree: 3,
    orderNumber: expect.stringMatching(/^SW-[0-9A-Z]{6}$/),
  });
  const request = await publishRequest(house, passenger, { offerCents: 800 });

  const found = await house.ok(passenger, match, { id: request.id });
  expect(found.total).toBe(1);
  const [candidate] = found.candidates;
  expect(candidate).toMatchObject({
    ride: { id: ride.id, vehicle: { plate: '' }, from: { approximate: true } },
    fareCents: 650,
  });
  const lines = await house.ok(passenger, matchMap, { rideId: ride.id, requestId: request.id });
  expect(lines.shared.line.length).toBeGreaterThan(10);

  const asked = await house.ok(passenger, askToJoin, {
    rideId: ride.id,
    requestId: request.id,
    message: 'Hello',
  });
  expect(asked.order).toMatchObject({ state: 'requesting', stage: 'Requesting' });
  const seenByDriver = await house.ok(driver, orderDetail, { id: ride.id });
  const [ask] = (seenByDriver.order as typeof ride).bookings;
  expect(ask).toMatchObject({
    state: 'requesting',
    message: 'Hello',
    pickup: { approximate: true },
    phone: '',
  });
  expect(ask!.may.toSorted()).toEqual(['accept', 'reject']);
  expect((await house.ok(driver, listOrders, { stage: 'Requesting' })).total).toBe(1);

  const bookingId = ask!.id;
  const accepted = await house.ok(driver, accept, { bookingId });
  expect(accepted.booking).toMatchObject({ state: 'joined', pickup: { approximate: false } });
  const joined = (await house.ok(passenger, orderDetail, { id: request.id })).order as typeof request;
  expect(joined).toMatchObject({
    state: 'joined',
    label: 'joined',
    stage: 'Joined',
    ride: { id: ride.id, vehicle: { plate: expect.stringMatching(/.+/) } },
  });

  await house.deliver();
  const [room] = (await house.ok(passenger, roomList, {})).rooms;
  expect(room).toMatchObject({
    roomid: ride.id,
    closed: false,
    lastMessage: { kind: 'system', system: { move: 'accept' } },
  });
  const clientId = crypto.randomUUID();
  await house.ok(passenger, sendMessage, { roomid: ride.id, clientId, text: 'See you at the corner' });
  await house.ok(passenger, sendMessage, { roomid: ride.id, clientId, text: 'See you at the corner' });
  const lines2 = await house.ok(driver, msgList, { roomid: ride.id, offset: 0, size: 10 });
  expect(lines2.messages.map((line) => line.kind)).toEqual(['text', 'system']);

  house.clock.moveTo(new Date(Date.parse(ride.departsAt) - 20 * 60_000));
  await house.timers.tick();
  const gathered = (await house.ok(driver, orderDetail, { id: ride.id })).order;
  expect(gathered).toMatchObject({
    state: 'waiting',
    stage: 'In Progress',
    may: expect.arrayContaining(['reach']),
  });
  expect((await house.ok(driver, reach, { id: ride.id, reason: 'It is here' })).order.state).toBe(
    'driver reached',
  );
  house.clock.moveTo(new Date(Date.parse(ride.departsAt)));
  expect((await house.ok(driver, depart, { id: ride.id })).order.state).toBe('departed');
  expect(
    (await house.ok(driver, reach, { id: ride.id, bookingId, reason: 'It is here' })).order,
  ).toMatchObject({
    state: 'picking',
    bookings: [{ state: 'driver reached' }],
  });
  expect((await house.ok(driver, pickUp, { bookingId })).booking).toMatchObject({
    state: 'picking',
    metBy: 'driver',
    may: ['undoMeet'],
  });
  expect((await house.ok(passenger, confirmMeeting, { bookingId })).booking.state).toBe('picked');
  expect((await house.ok(driver, orderDetail, { id: ride.id })).order.state).toBe('ongoing');
  house.clock.advance(30 * 60_000);
  expect((await house.ok(driver, arrive, { id: ride.id })).order).toMatchObject({
    state: 'finished',
    stage: 'Completed',
    bookings: [{ state: 'finished', reviewDue: true }],
  });

  await house.deliver();
  const late = await house.call(passenger, sendMessage, {
    roomid: ride.id,
    clientId: crypto.randomUUID(),
    text: 'Thanks!',
  });
  expect(late).toMatchObject({
    code: 409,
    reason: 'room.closed',
    info: 'The ride has ended, no more messages can be sent.',
  });

  expect((await house.ok(passenger, pendingReviews, {})).pending).toHaveLength(1);
  await house.ok(passenger, createReview, { bookingId, stars: 5, tags: ['onTime'], words: 'Lovely ride' });
  expect((await house.ok(driver, listReviews, { userId: driver.id })).reviews).toEqual([]);
  await house.ok(driver, createReview, { bookingId, stars: 4 });
  expect((await house.ok(driver, listReviews, { userId: driver.id })).reviews).toMatchObject([
    { stars: 5, words: 'Lovely ride', published: true },
  ]);

  const completed = await house.ok(passenger, listOrders, { stage: 'Completed' });
  expect(completed.orders).toMatchObject([
    { id: request.id, state: 'finished', ride: { driver: { rating: 5, ratingCount: 1, completedRides: 1 } } },
  ]);
  const { entries } = await house.ok(driver, orderTimeline, { id: ride.id });
  expect(entries.map((entry) => entry.move)).toEqual([
    'publish',
    'ask',
    'agree',
    'pay',
    'gather',
    'gather',
    'reach',
    'depart',
    'reach',
    'approach',
    'meet',
    'board',
    'carryOn',
    'dropOff',
    'arrive',
  ]);
});
