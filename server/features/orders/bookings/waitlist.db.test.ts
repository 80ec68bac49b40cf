import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  askToJoin,
  cancelOrder,
  orderDetail,
  reject,
  updateOrder,
  waitlist,
  withdraw,
} from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots, type RideInput } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const kept = 'waiting for passenger acceptance';
const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;
const requestOf = async (who: TestPerson, id: string) =>
  (await app.ok(who, orderDetail, { id })).order as Request;
const offerOf = async (who: TestPerson, id: string) =>
  (await requestOf(who, id)).bookings.find(({ state }) => state === kept);

interface Waiter {
  person: TestPerson;
  request: Request;
}

/** The whole route, so that one seat serves one person. */
const wholeWay = { from: spots.westside, to: spots.aptos };

async function newWaiter(name: string): Promise<Waiter> {
  const person = await app.person(name);
  return { person, request: await publishRequest(app, person, wholeWay) };
}

/** A ride with one seat, which `holder` has, and people who wait for it in this order. */
async function fullRide(names: string[], fields: Record<string, unknown> = {}) {
  const driver = await app.person('Driver');
  const ride = await publishRide(app, driver, { seats: 1, instant: true, maxDetourMinutes: 20, ...fields });
  const holder = await newWaiter('Holder');
  await app.ok(holder.person, askToJoin, { rideId: ride.id, requestId: holder.request.id });
  const waiters: Waiter[] = [];
  for (const name of names) {
    const waiter = await newWaiter(name);
    await app.ok(waiter.person, waitlist, { rideId: ride.id, requestId: waiter.request.id });
    waiters.push(waiter);
  }
  return { driver, ride, holder, waiters };
}

const leave = ({ person, request }: Waiter) => app.ok(person, cancelOrder, { id: request.id });

test('a free seat is kept for the first who waits; who says yes has joined', async () => {
  const { driver, ride, holder, waiters } = await fullRide(['Ann', 'Ben']);
  const [ann, ben] = [waiters[0]!, waiters[1]!];
  expect(await rideOf(driver, ride.id)).toMatchObject({ state: 'full', waitlist: { count: 2 } });
  expect((await rideOf(driver, ride.id)).waitlist.waiting.map(({ passenger }) => passenger.name)).toEqual([
    'Ann',
    'Ben',
  ]);
  expect((await requestOf(ben.person, ben.request.id)).waitlists).toEqual([{ rideId: ride.id, place: 2 }]);
  await leave(holder);
  const offer = await offerOf(ann.person, ann.request.id);
  expect(offer).toMatchObject({ may: ['acceptInvitation', 'declineInvitation'] });
  const leftMs = Date.parse(offer!.expiresAt!) - app.clock.now().getTime();
  expect(leftMs).toBeGreaterThan(29 * minuteMs);
  expect(leftMs).toBeLessThanOrEqual(30 * minuteMs);
  // The seat is reserved: the ride stays full for all others, and Ben is first now.
  expect(await rideOf(driver, ride.id)).toMatchObject({
    state: 'full',
    seatsFree: 0,
    waitlist: { count: 1 },
  });
  expect((await requestOf(ann.person, ann.request.id)).state).toBe('inviting');
  expect(await offerOf(ben.person, ben.request.id)).toBeUndefined();
  const late = await newWaiter('Late');
  const asked = await app.call(late.person, askToJoin, { rideId: ride.id, requestId: late.request.id });
  expect(asked).toMatchObject({ code: 409, reason: 'ride.full' });
  const { booking } = await app.ok(ann.person, accept, { bookingId: offer!.id });
  expect(booking.state).toBe('joined');
  expect(await rideOf(driver, ride.id)).toMatchObject({ state: 'full', seatsFree: 0 });
});

test('who says no, or nothing for 30 minutes, is followed by the next; with nobody left the ride is open again', async () => {
  const { driver, ride, holder, waiters } = await fullRide(['Ann', 'Ben', 'Cleo']);
  const [ann, ben, cleo] = [waiters[0]!, waiters[1]!, waiters[2]!];
  await leave(holder);
  await app.ok(ann.person, reject, { bookingId: (await offerOf(ann.person, ann.request.id))!.id });
  const toBen = await offerOf(ben.person, ben.request.id);
  expect(toBen).toBeDefined();
  app.clock.moveTo(later(app.clock.now(), 31 * minuteMs));
  await app.scheduler.tick();
  expect((await requestOf(ben.person, ben.request.id)).state).toBe('matching');
  const toCleo = await offerOf(cleo.person, cleo.request.id);
  expect(toCleo).toBeDefined();
  expect((await app.call(ben.person, accept, { bookingId: toBen!.id })).code).toBe(409);
  // The driver may withdraw an offer.
  await app.ok(driver, withdraw, { bookingId: toCleo!.id });
  expect(await rideOf(driver, ride.id)).toMatchObject({
    state: 'matching',
    seatsFree: 1,
    waitlist: { count: 0 },
  });
});

test('who has joined another ride waits no longer, and the seat kept for them goes to the next', async () => {
  const first = await fullRide(['Ann', 'Ben']);
  const [ann, ben] = [first.waiters[0]!, first.waiters[1]!];
  const otherDriver = await app.person('Other');
  const other = await publishRide(app, otherDriver, { instant: true, maxDetourMinutes: 20 });
  await leave(first.holder);
  expect(await offerOf(ann.person, ann.request.id)).toBeDefined();
  await app.ok(ann.person, askToJoin, { rideId: other.id, requestId: ann.request.id });
  expect((await requestOf(ann.person, ann.request.id)).state).toBe('joined');
  await app.deliver();
  expect(await offerOf(ben.person, ben.request.id)).toBeDefined();
  const { stops, seatsFree } = await rideOf(first.driver, first.ride.id);
  expect([stops.length, seatsFree]).toEqual([4, 0]);
});

test('waiting is for rides that would fit: with room one asks, without a way there is nothing to wait for', async () => {
  const { driver, ride, waiters } = await fullRide(['Ann']);
  const open = await publishRide(app, await app.person('Other'));
  const ben = await newWaiter('Ben');
  const room = await app.call(ben.person, waitlist, { rideId: open.id, requestId: ben.request.id });
  expect(room).toMatchObject({ code: 409, reason: 'ride.hasRoom' });
  const far = await publishRequest(app, await app.person('Cleo'), {
    from: spots.aptos,
    to: spots.westside,
  });
  const stranger = await app.call(ben.person, waitlist, { rideId: ride.id, requestId: far.id });
  expect(stranger.code).toBe(404);
  const many = await app.person('Many');
  const group = await publishRequest(app, many, { ...wholeWay, seats: 2 });
  const tooMany = await app.call(many, waitlist, { rideId: ride.id, requestId: group.id });
  expect(tooMany).toMatchObject({ code: 409, reason: 'match.noFit' });
  // Others see how many wait, and not who.
  expect((await rideOf(ben.person, ride.id)).waitlist).toEqual({ count: 1, waiting: [] });
  const ann = waiters[0]!;
  const ids = { rideId: ride.id, requestId: ann.request.id, wait: false };
  expect((await app.call(ben.person, waitlist, ids)).code).toBe(404);
  await app.ok(driver, waitlist, ids);
  expect((await rideOf(driver, ride.id)).waitlist.count).toBe(0);
});

test('the driver does not learn where somebody stands for whom a seat is kept', async () => {
  const { driver, ride, holder, waiters } = await fullRide(['Ann']);
  await leave(holder);
  const pickup = (await rideOf(driver, ride.id)).stops.find(({ kind }) => kind === 'pickup')!;
  expect(pickup.place.approximate).toBe(true);
  const offer = (await offerOf(waiters[0]!.person, waiters[0]!.request.id))!;
  await app.ok(waiters[0]!.person, accept, { bookingId: offer.id });
  const joined = (await rideOf(driver, ride.id)).stops.find(({ kind }) => kind === 'pickup')!;
  expect(joined.place.approximate).toBe(false);
});

test('one more seat by an edit is offered too', async () => {
  const { driver, ride, waiters } = await fullRide(['Ann', 'Ben']);
  const order: RideInput = {
    role: 'driver',
    ...wholeWay,
    departsAt: ride.earliestDepartsAt,
    seats: 2,
    vehicleId: null,
    priceKind: 'perPerson',
    costCents: 0,
    maxDetourMinutes: 20,
    instant: true,
  };
  await app.ok(driver, updateOrder, { id: ride.id, order });
  expect(await offerOf(waiters[0]!.person, waiters[0]!.request.id)).toBeDefined();
  expect(await offerOf(waiters[1]!.person, waiters[1]!.request.id)).toBeUndefined();
});

test('a ride that ends takes its waitlist and its offers with it', async () => {
  const { driver, ride, holder, waiters } = await fullRide(['Ann', 'Ben']);
  await leave(holder);
  await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car broke down' });
  for (const { person, request } of waiters)
    expect(await requestOf(person, request.id)).toMatchObject({ state: 'matching', waitlists: [] });
});
