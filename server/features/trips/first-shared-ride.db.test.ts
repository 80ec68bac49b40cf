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
import type { Request, Ride } from '#contract/rides/views.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

/** A driver with a ride and a passenger with a request that fits it. */
interface Pair {
  driver: TestPerson;
  passenger: TestPerson;
  ride: Ride;
  request: Request;
}

async function findRide({ passenger, ride, request }: Pair): Promise<void> {
  const found = await app.ok(passenger, match, { id: request.id });
  expect(found.total).toBe(1);
  const [candidate] = found.candidates;
  expect(candidate).toMatchObject({
    ride: { id: ride.id, vehicle: { plate: '' }, from: { approximate: true } },
    fareCents: 650,
  });
  const lines = await app.ok(passenger, matchMap, { rideId: ride.id, requestId: request.id });
  expect(lines.shared.line.length).toBeGreaterThan(10);
}

/** The passenger asks and the driver accepts; the booking of the two. */
async function askAndAccept({ driver, passenger, ride, request }: Pair): Promise<string> {
  const asked = await app.ok(passenger, askToJoin, {
    rideId: ride.id,
    requestId: request.id,
    message: 'Hello',
  });
  expect(asked.order).toMatchObject({ state: 'requesting', stage: 'Requesting' });
  const seenByDriver = await app.ok(driver, orderDetail, { id: ride.id });
  const [ask] = (seenByDriver.order as Ride).bookings;
  expect(ask).toMatchObject({
    state: 'requesting',
    message: 'Hello',
    pickup: { approximate: true },
    phone: '',
  });
  expect(ask!.may.toSorted()).toEqual(['accept', 'reject']);
  expect((await app.ok(driver, listOrders, { stage: 'Requesting' })).total).toBe(1);

  const bookingId = ask!.id;
  const accepted = await app.ok(driver, accept, { bookingId });
  expect(accepted.booking).toMatchObject({ state: 'joined', pickup: { approximate: false } });
  const joined = (await app.ok(passenger, orderDetail, { id: request.id })).order as Request;
  expect(joined).toMatchObject({
    state: 'joined',
    label: 'joined',
    stage: 'Joined',
    ride: { id: ride.id, vehicle: { plate: expect.stringMatching(/.+/) } },
  });
  return bookingId;
}

async function talk({ driver, passenger, ride }: Pair): Promise<void> {
  await app.deliver();
  const [room] = (await app.ok(passenger, roomList, {})).rooms;
  expect(room).toMatchObject({
    roomid: ride.id,
    closed: false,
    lastMessage: { kind: 'system', system: { move: 'accept' } },
  });
  const clientId = crypto.randomUUID();
  await app.ok(passenger, sendMessage, { roomid: ride.id, clientId, text: 'See you at the corner' });
  await app.ok(passenger, sendMessage, { roomid: ride.id, clientId, text: 'See you at the corner' });
  const lines = await app.ok(driver, msgList, { roomid: ride.id, offset: 0, size: 10 });
  expect(lines.messages.map((line) => line.kind)).toEqual(['text', 'system']);
}

async function driveTogether({ driver, passenger, ride }: Pair, bookingId: string): Promise<void> {
  app.clock.moveTo(new Date(Date.parse(ride.departsAt) - 20 * 60_000));
  await app.scheduler.tick();
  const gathered = (await app.ok(driver, orderDetail, { id: ride.id })).order;
  expect(gathered).toMatchObject({
    state: 'waiting',
    stage: 'In Progress',
    may: expect.arrayContaining(['reach']),
  });
  expect((await app.ok(driver, reach, { id: ride.id, reason: 'It is here' })).order.state).toBe(
    'driver reached',
  );
  app.clock.moveTo(new Date(Date.parse(ride.departsAt)));
  expect((await app.ok(driver, depart, { id: ride.id })).order.state).toBe('departed');
  expect((await app.ok(driver, reach, { id: ride.id, bookingId, reason: 'It is here' })).order).toMatchObject(
    {
      state: 'picking',
      bookings: [{ state: 'driver reached' }],
    },
  );
  expect((await app.ok(driver, pickUp, { bookingId })).booking).toMatchObject({
    state: 'picking',
    metBy: 'driver',
    may: ['undoMeet'],
  });
  expect((await app.ok(passenger, confirmMeeting, { bookingId })).booking.state).toBe('picked');
  expect((await app.ok(driver, orderDetail, { id: ride.id })).order.state).toBe('ongoing');
  app.clock.advance(30 * 60_000);
  expect((await app.ok(driver, arrive, { id: ride.id })).order).toMatchObject({
    state: 'finished',
    stage: 'Completed',
    bookings: [{ state: 'finished', reviewDue: true }],
  });
}

async function reviewEachOther({ driver, passenger }: Pair, bookingId: string): Promise<void> {
  expect((await app.ok(passenger, pendingReviews, {})).pending).toHaveLength(1);
  await app.ok(passenger, createReview, { bookingId, stars: 5, tags: ['onTime'], words: 'Lovely ride' });
  expect((await app.ok(driver, listReviews, { userId: driver.id })).reviews).toEqual([]);
  await app.ok(driver, createReview, { bookingId, stars: 4 });
  expect((await app.ok(driver, listReviews, { userId: driver.id })).reviews).toMatchObject([
    { stars: 5, words: 'Lovely ride', published: true },
  ]);
}

test('a driver and a passenger find each other, ride together, and review each other', async () => {
  const driver = await app.person('Dora Driver');
  const passenger = await app.person('Pat Passenger');
  const vehicleId = await addVehicle(app, driver);
  await onboard(app, driver);
  await addCard(app, passenger);
  const ride = await publishRide(app, driver, { vehicleId, costCents: 650 });
  expect(ride).toMatchObject({
    state: 'matching',
    stage: 'Matching',
    seatsFree: 3,
    orderNumber: expect.stringMatching(/^SW-[0-9A-Z]{6}$/),
  });
  const request = await publishRequest(app, passenger, { offerCents: 800 });

  const pair = { driver, passenger, ride, request };
  await findRide(pair);
  const bookingId = await askAndAccept(pair);
  await talk(pair);
  await driveTogether(pair, bookingId);

  await app.deliver();
  const late = await app.call(passenger, sendMessage, {
    roomid: ride.id,
    clientId: crypto.randomUUID(),
    text: 'Thanks!',
  });
  expect(late).toMatchObject({
    code: 409,
    reason: 'room.closed',
    info: 'The ride has ended, no more messages can be sent.',
  });

  await reviewEachOther(pair, bookingId);

  const completed = await app.ok(passenger, listOrders, { stage: 'Completed' });
  expect(completed.orders).toMatchObject([
    { id: request.id, label: 'finished', driver: { rating: 5, ratingCount: 1, completedRides: 1 } },
  ]);
  const { entries } = await app.ok(driver, orderTimeline, { id: ride.id });
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
