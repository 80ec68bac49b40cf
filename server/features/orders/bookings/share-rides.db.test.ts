import { setTimeout as sleep } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, cancelOrder, waitlist, withdraw } from '#contract/rides/endpoints.ts';
import { bookings, rideStops, waitlist as waits } from '../../../schema/rides.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const wholeWay = { from: spots.westside, to: spots.aptos };

async function newRide(detail: string, seats: number) {
  const driver = await app.person(`Kim ${detail}`);
  return { driver, ride: await publishRide(app, driver, { seats, maxDetourMinutes: 20 }) };
}
async function newPassenger(detail: string, seats = 1) {
  const person = await app.person(`Mia ${detail}`);
  return { person, request: await publishRequest(app, person, { ...wholeWay, seats }) };
}
type Passenger = Awaited<ReturnType<typeof newPassenger>>;

const ask = async ({ person, request }: Passenger, rideId: string) => {
  const { order } = await app.ok(person, askToJoin, { rideId, requestId: request.id });
  return order.bookings.find((booking) => booking.rideId === rideId)!.id;
};
/** How many transactions wrote these bookings last. */
async function transactionsOf(ids: readonly string[]): Promise<number> {
  const rows = await app.platform.db
    .select({ writer: sql<string>`${bookings}.xmin::text` })
    .from(bookings)
    .where(inArray(bookings.id, [...ids]));
  return new Set(rows.map(({ writer }) => writer)).size;
}

/** Runs `work` while as many transactions as there may be wait for the database; then lets them go. */
async function whileOthersWait<T>(work: () => Promise<T>): Promise<T> {
  const waiting = await Promise.all(['a', 'b'].map((detail) => newPassenger(`waiting ${detail}`)));
  const rides = await Promise.all(['a', 'b'].map((detail) => newRide(`waiting ${detail}`, 1)));
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from requests where id = any($1) for update', [
      waiting.map(({ request }) => request.id),
    ]);
    const asks: Promise<string>[] = [];
    for (const [place, passenger] of waiting.entries()) {
      asks.push(ask(passenger, rides[place]!.ride.id));
      await expect.poll(lockWaits).toBe(place + 1);
    }
    const made = work();
    // The calls have reached their places by then.
    await sleep(500);
    await holder.query('commit');
    await Promise.all(asks);
    return await made;
  } finally {
    holder.release();
  }
}

/** How many transactions of this database wait for a lock. */
async function lockWaits(): Promise<number> {
  const { rowCount } = await app.pool.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rowCount ?? 0;
}

test('asks for several rides that wait together share a transaction; one that is refused leaves nothing', async () => {
  const rides = await Promise.all(['1', '2', '3'].map((detail) => newRide(detail, 2)));
  const passengers = await Promise.all(['1', '2', '3'].map((detail) => newPassenger(detail)));
  await ask(passengers[2]!, rides[2]!.ride.id);
  const [first, second, again] = await whileOthersWait(() =>
    Promise.all([
      ask(passengers[0]!, rides[0]!.ride.id),
      ask(passengers[1]!, rides[1]!.ride.id),
      app.call(passengers[2]!.person, askToJoin, {
        rideId: rides[2]!.ride.id,
        requestId: passengers[2]!.request.id,
      }),
    ]),
  );
  expect(again.reason).toBe('booking.exists');
  expect(await transactionsOf([first, second])).toBe(1);
});

test('the last seat of a ride goes to one of those accepted at the same moment, and the others are told', async () => {
  const { driver, ride } = await newRide('4', 1);
  const passengers = await Promise.all(['4', '5', '6'].map((detail) => newPassenger(detail)));
  const ids: string[] = [];
  for (const passenger of passengers) ids.push(await ask(passenger, ride.id));
  const answers = await Promise.all(ids.map((bookingId) => app.call(driver, accept, { bookingId })));
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const rows = await app.platform.db.select().from(bookings).where(inArray(bookings.id, ids));
  expect(rows.map(({ state }) => state).toSorted()).toEqual(['expired', 'expired', 'joined']);
  const legs = await app.platform.db
    .select()
    .from(rideStops)
    .where(inArray(rideStops.rideId, [ride.id]));
  expect(Math.max(...legs.map(({ seatsTaken }) => seatsTaken))).toBe(1);
});

test('a call that is refused leaves the others of its transaction alone while an ended booking is still on the route', async () => {
  const [kept, joined, ...others] = await Promise.all(
    ['kept', 'joined', 'asked 1', 'asked 2'].map((detail) => newRide(detail, 2)),
  );
  const [gone, ...asking] = await Promise.all(
    ['gone', 'asking 1', 'asking 2'].map((detail) => newPassenger(detail)),
  );
  const [first, late] = await Promise.all(['first', 'late'].map((detail) => newPassenger(detail, 2)));
  await app.ok(kept!.driver, accept, { bookingId: await ask(first!, kept!.ride.id) });
  await app.ok(gone!.person, waitlist, { rideId: kept!.ride.id, requestId: gone!.request.id });
  await app.ok(first!.person, cancelOrder, { id: first!.request.id, reason: '' });
  await app.deliver();
  // The seat is held for the one who waited, who joins another ride; it is freed by a listener, later.
  await app.ok(joined!.driver, accept, { bookingId: await ask(gone!, joined!.ride.id) });
  const [refused, ...ids] = await whileOthersWait(() =>
    Promise.all([
      app.call(late!.person, askToJoin, { rideId: kept!.ride.id, requestId: late!.request.id }),
      ...asking.map((passenger, place) => ask(passenger, others[place]!.ride.id)),
    ]),
  );
  expect(refused.reason).toBe('ride.full');
  expect(await transactionsOf(ids)).toBe(1);
});

test('what one call changes the next one in the same transaction sees: a request joins one of two rides', async () => {
  const rides = [await newRide('7', 1), await newRide('8', 1)];
  const passenger = await newPassenger('7');
  const ids = [await ask(passenger, rides[0]!.ride.id), await ask(passenger, rides[1]!.ride.id)];
  const answers = await Promise.all(
    ids.map((bookingId, place) => app.call(rides[place]!.driver, accept, { bookingId })),
  );
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('places on a waitlist are kept in the order of the calls, and one who withdraws meanwhile keeps none', async () => {
  const { driver, ride } = await newRide('9', 1);
  const holder = await newPassenger('9');
  await app.ok(driver, accept, { bookingId: await ask(holder, ride.id) });
  const others = await Promise.all(['10', '11'].map((detail) => newPassenger(detail)));
  const { ride: elsewhere } = await newRide('10', 1);
  const asked = await ask(others[0]!, elsewhere.id);
  await Promise.all([
    ...others.map(({ person, request }) =>
      app.ok(person, waitlist, { rideId: ride.id, requestId: request.id }),
    ),
    app.ok(others[0]!.person, withdraw, { bookingId: asked }),
  ]);
  const rows = await app.platform.db
    .select()
    .from(waits)
    .where(inArray(waits.rideId, [ride.id]));
  expect(rows.toSorted((a, b) => a.id - b.id).map(({ requestId }) => requestId)).toEqual(
    others.map(({ request }) => request.id),
  );
});

test('what refers to a ride and a request while it is being written does not hold up a call on them', async () => {
  const { driver, ride } = await newRide('referred to', 2);
  const passenger = await newPassenger('referred to');
  const writer = await app.pool.connect();
  try {
    // As the inserts of notices, room lines and history do.
    await writer.query('begin');
    await writer.query('select from rides where id = $1 for key share', [ride.id]);
    await writer.query('select from requests where id = $1 for key share', [passenger.request.id]);
    const bookingId = await ask(passenger, ride.id);
    expect((await app.call(driver, accept, { bookingId })).code).toBe(200);
    await writer.query('commit');
  } finally {
    writer.release(true);
  }
});
