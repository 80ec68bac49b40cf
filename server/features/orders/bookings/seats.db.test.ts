import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  askToJoin,
  cancelOrder,
  createOrder,
  orderDetail,
  reject,
  waitlist,
  withdraw,
} from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import { bookings, rideStops } from '../../../schema/rides.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';
import { randomFrom } from '../../../testing/random.ts';
import { sized } from '../../../testing/size.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const takesSeat: readonly string[] = ['waiting for passenger acceptance', 'joined', 'waiting'];

/**
 * Checks that the seats taken on every leg match its passengers, never exceed the ride's, and that all are on
 * the route.
 */
async function checkSeats(rideId: string): Promise<{ held: number }> {
  const { db } = app.platform;
  const stops = (await db.select().from(rideStops).where(eq(rideStops.rideId, rideId))).toSorted(
    (a, b) => a.position - b.position,
  );
  const seated = (await db.select().from(bookings).where(eq(bookings.rideId, rideId))).filter(({ state }) =>
    takesSeat.includes(state),
  );
  for (const booking of seated)
    expect(stops.filter(({ bookingId }) => bookingId === booking.id).map(({ kind }) => kind)).toEqual([
      'pickup',
      'dropoff',
    ]);
  const known = new Set(seated.map(({ id }) => id));
  expect(stops.filter(({ bookingId }) => bookingId !== null && !known.has(bookingId))).toEqual([]);
  const aboard = new Map<string, number>();
  for (const stop of stops) {
    const booking = seated.find(({ id }) => id === stop.bookingId);
    if (booking !== undefined && stop.kind === 'pickup') aboard.set(booking.id, booking.seats);
    if (booking !== undefined && stop.kind === 'dropoff') aboard.delete(booking.id);
    const taken = [...aboard.values()].reduce((sum, seats) => sum + seats, 0);
    if (stop.kind !== 'end') expect(stop.seatsTaken).toBe(taken);
    expect(stop.seatsTaken).toBeLessThanOrEqual(stop.seats);
  }
  return { held: seated.filter(({ state }) => state === 'waiting for passenger acceptance').length };
}

interface Passenger {
  person: TestPerson;
  requestId: string;
}

const seed = 20261123;
const names = ['ask', 'wait', 'accept', 'reject', 'withdraw', 'cancel', 'leave'];
const ends = [
  { from: spots.westside, to: spots.aptos },
  { from: spots.westside, to: spots.aptos },
  { from: spots.westside, to: spots.soquel },
  { from: spots.soquel, to: spots.aptos },
];

/** Two rides, ten passengers, chance, and what they have done so far. */
type Walk = Awaited<ReturnType<typeof openWalk>>;

async function openWalk() {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const [first, second] = [await app.person('First'), await app.person('Second')];
  const rides = [
    {
      driver: first,
      ride: await publishRide(app, first, { seats: 2, instant: true, maxDetourMinutes: 12 }),
    },
    { driver: second, ride: await publishRide(app, second, { seats: 1, maxDetourMinutes: 12 }) },
  ];
  const window = {
    earliestAt: later(new Date(rides[0]!.ride.departsAt), -120 * minuteMs).toISOString(),
    latestAt: later(new Date(rides[0]!.ride.departsAt), 120 * minuteMs).toISOString(),
  };
  const passengers: Passenger[] = [];
  for (let index = 0; index < 10; index++) {
    const person = await app.person(`P${index}`);
    const request = await publishRequest(app, person, { ...ends[index % 4], ...window });
    passengers.push({ person, requestId: request.id });
  }
  return { random, pick, rides, window, passengers, done: new Map<string, number>(), refused: 0, offers: 0 };
}

/** One passenger, or their driver, does one of the things that are possible now. */
async function act(walk: Walk, { person, requestId }: Passenger): Promise<void> {
  const { random, pick, done } = walk;
  const { driver, ride } = pick(walk.rides);
  const ids = { rideId: ride.id, requestId };
  const request = (await app.ok(person, orderDetail, { id: requestId })).order as Request;
  const open = request.bookings.findLast(({ expiresAt }) => expiresAt !== null);
  const joined = request.bookings.find(({ state }) => state === 'joined');
  const someone = pick([person, driver]);
  const choices: (readonly [name: string, call: () => Promise<{ code: number }>])[] = [
    ['ask', () => app.call(person, askToJoin, ids)],
    ['wait', () => app.call(person, waitlist, ids)],
  ];
  if (open !== undefined)
    choices.push(
      ['accept', () => app.call(someone, accept, { bookingId: open.id })],
      ['reject', () => app.call(someone, reject, { bookingId: open.id, reason: 'No' })],
      ['withdraw', () => app.call(someone, withdraw, { bookingId: open.id })],
    );
  if (joined !== undefined)
    choices.push([
      'cancel',
      () => app.call(driver, cancelOrder, { id: ride.id, bookingId: joined.id, reason: 'Sorry' }),
    ]);
  if (request.waitlists.length > 0 && random() >= 0.5)
    choices.push(['leave', () => app.call(person, waitlist, { ...ids, wait: false })]);
  // Every other time what has been done least, so that nothing is left out by chance.
  const least = Math.min(...choices.map(([name]) => done.get(name) ?? 0));
  const rare = choices.filter(([name]) => (done.get(name) ?? 0) === least);
  const [name, call] = pick(random() < 0.5 ? rare : choices);
  const { code } = await call();
  expect([200, 404, 409]).toContain(code);
  if (code === 200) done.set(name, (done.get(name) ?? 0) + 1);
  else walk.refused++;
}

async function playRound(walk: Walk, round: number): Promise<void> {
  const { passengers, pick, rides, window } = walk;
  // A passenger whose request was canceled or has ended publishes a new one.
  for (const passenger of passengers) {
    const { order } = await app.ok(passenger.person, orderDetail, { id: passenger.requestId });
    if (order.stage !== 'Completed') continue;
    const again = { role: 'passenger' as const, ...pick(ends), ...window, seats: 1, offerCents: null };
    passenger.requestId = (await app.ok(passenger.person, createOrder, { order: again })).id;
  }
  await Promise.all([...passengers, pick(passengers)].map((each) => act(walk, each)));
  if (round % 5 === 4) {
    app.clock.advance(31 * minuteMs);
    await Promise.all([app.scheduler.tick(), ...passengers.slice(0, 3).map((each) => act(walk, each))]);
  }
  if (round % 3 === 2)
    await Promise.all(
      passengers.slice(3, 5).map(({ person, requestId }) => app.call(person, cancelOrder, { id: requestId })),
    );
  await app.deliver();
  for (const { ride } of rides) walk.offers += (await checkSeats(ride.id)).held;
}

test('instant booking, waitlist, answers, expiry and cancelling against each other: no seat oversold, none lost', async () => {
  const walk = await openWalk();
  const { passengers, rides, done } = walk;
  const seen = () => names.every((name) => done.has(name)) && walk.offers > 5 && walk.refused > 50;
  for (let round = 0; round < sized(8, 30) || (round < 120 && !seen()); round++) await playRound(walk, round);
  // The walk has been where it was meant to go.
  expect(walk.offers).toBeGreaterThan(5);
  expect(walk.refused).toBeGreaterThan(50);
  for (const name of names) expect(done.get(name) ?? 0, name).toBeGreaterThan(0);

  // In the end all cancel: every seat is free again and the waitlists are empty.
  for (const { person, requestId } of passengers) await app.call(person, cancelOrder, { id: requestId });
  await app.deliver();
  for (const { driver, ride } of rides) {
    await checkSeats(ride.id);
    const now = (await app.ok(driver, orderDetail, { id: ride.id })).order as Ride;
    expect(now).toMatchObject({ state: 'matching', seatsFree: now.seats, waitlist: { count: 0 } });
  }
  const { db } = app.platform;
  const rideIds = rides.map(({ ride }) => ride.id);
  const left = await db.select().from(bookings).where(inArray(bookings.rideId, rideIds));
  expect(left.filter(({ endedAt }) => endedAt === null)).toEqual([]);
}, 240_000);
