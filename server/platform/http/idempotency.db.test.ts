import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import {
  accept,
  askToJoin,
  cancelOrder,
  createOrder,
  orderDetail,
  withdraw,
} from '#contract/rides/endpoints.ts';
import { createPair } from '#contract/rides/recurring.ts';
import { createVehicle, listVehicles } from '#contract/vehicles/endpoints.ts';
import { users } from '../../schema/identity.ts';
import { createIdempotency } from './idempotency.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots, type RideInput } from '../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const car = {
  plate: 'ONCE123',
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback',
  year: 2021,
  color: 'blue',
  seats: 4,
} as const;

/** Makes a call with a key, by HTTP status and all: the first try may end as a crash would. */
async function send<I extends z.ZodObject>(
  who: TestPerson,
  endpoint: Endpoint<I, z.ZodType>,
  input: z.input<I>,
  idempotencyKey: string,
) {
  const response = await app.http.inject({
    method: 'POST',
    url: endpoint.path,
    payload: { ...input, idempotencyKey, signTime: Date.now(), sign: '' },
    headers: { authorization: `Bearer ${who.token}` },
  });
  return response.statusCode === 200
    ? response.json<{ code: number; reason?: string; data: unknown }>()
    : { code: response.statusCode, data: response.body };
}

/** Fails every statement of a kind on a table with the error, as a process that dies there would leave it. */
async function whileBroken(at: string, work: () => Promise<void>): Promise<void> {
  await app.pool.query(`create or replace function test_breaks() returns trigger language plpgsql as $$
    begin raise exception 'the process dies here'; end $$`);
  await app.pool.query(`create trigger test_breaks ${at} execute function test_breaks()`);
  await work();
  const table = / on (\w+)/.exec(at)![1]!;
  await app.pool.query(`drop trigger test_breaks on ${table}`);
}

const loseAnswers = `before update on idempotency for each row when (new.state = 'done')`;
/** Actions of a dead process are free once their lease has ended. */
const leasesEnd = () =>
  app.pool.query(`update idempotency set lease_until = now() - interval '1 second' where state = 'started'`);

test('an action of several transactions that is killed between them is finished by the next try with its key', async () => {
  const mia = await app.person('Mia');
  const orders = [await publishRide(app, mia), await publishRequest(app, mia, later(3))];
  const key = crypto.randomUUID();
  const at = 'before update of deletion_due_at on users for each row';
  await whileBroken(at, async () => {
    expect((await send(mia, deleteAccount, { password: '' }, key)).code).toBe(500);
  });
  expect((await app.ok(mia, orderDetail, { id: orders[0]!.id })).order.state).toBe('cancel');
  expect(await send(mia, deleteAccount, { password: '' }, key)).toMatchObject({ code: 200 });
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, mia.id));
  expect(row!.deletionDueAt).not.toBeNull();
  expect(await send(mia, deleteAccount, { password: '' }, key)).toMatchObject({ code: 200 });
});

function later(hours: number): Record<string, string> {
  const start = app.clock.now().getTime() + (24 + hours) * 3_600_000;
  return { earliestAt: new Date(start).toISOString(), latestAt: new Date(start + 3_600_000).toISOString() };
}

test('a repeat that comes while the first is under way waits, and gets its answer', async () => {
  const mia = await app.person('Mia');
  const key = crypto.randomUUID();
  const holder = await app.pool.connect();
  await holder.query('begin; lock table vehicles in share row exclusive mode');
  const tries = [send(mia, createVehicle, car, key), send(mia, createVehicle, car, key)];
  await expect
    .poll(async () => (await app.pool.query(`select from pg_locks where not granted`)).rowCount)
    .toBeGreaterThan(0);
  await sleep(20);
  tries.push(send(mia, createVehicle, car, key));
  await holder.query('commit');
  holder.release();
  const [first, ...others] = await Promise.all(tries);
  expect(first).toMatchObject({ code: 200 });
  for (const other of others) expect(other).toEqual(first);
  expect((await app.ok(mia, listVehicles, {})).vehicles).toHaveLength(1);
});

test('what was committed and whose answer was lost is answered again as the first time, and done once', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const twice = async <I extends z.ZodObject>(
    who: TestPerson,
    endpoint: Endpoint<I, z.ZodType>,
    input: z.input<I>,
  ) => {
    const key = crypto.randomUUID();
    let first: unknown;
    await whileBroken(loseAnswers, async () => {
      first = await send(who, endpoint, input, key);
    });
    expect(first).toMatchObject({ code: 200 });
    await leasesEnd();
    expect(await send(who, endpoint, input, key)).toEqual(first);
    // The stored answer is the same.
    expect(await send(who, endpoint, input, key)).toEqual(first);
    return (first as { data: { id: string; order: { bookings: { id: string }[] } } }).data;
  };
  const daysAhead = (days: number) =>
    new Date(app.clock.now().getTime() + days * 24 * 3_600_000).toISOString();
  const departsAt = daysAhead(1);
  const offer: RideInput = {
    role: 'driver',
    from: spots.westside,
    to: spots.aptos,
    departsAt,
    seats: 3,
    vehicleId: null,
    priceKind: 'perPerson',
    costCents: 0,
    maxDetourMinutes: 30,
  };
  const back = { ...offer, from: offer.to, to: offer.from, departsAt: daysAhead(3) };
  await twice(await app.person('Driver'), createPair, { order: { ...offer, departsAt: daysAhead(2) }, back });
  const ride = await twice(driver, createOrder, { order: offer });
  const request = await publishRequest(app, passenger);
  const asked = await twice(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = asked.order.bookings[0]!.id;
  await twice(driver, accept, { bookingId });
  await twice(passenger, cancelOrder, { id: request.id });
  await twice(driver, cancelOrder, { id: ride.id, reason: 'The car broke down' });
  const { rows } = await app.pool.query(
    `select move, count(*)::int as times from move_history where thing_id = any($1) group by thing_id, move having count(*) > 1`,
    [[ride.id, request.id, bookingId]],
  );
  expect(rows).toEqual([]);
  const published = await app.platform.db.execute(sql`select from rides where driver_id = ${driver.id}`);
  expect(published.rowCount).toBe(1);
});

test('calls whose shared transaction is cut at its commit are done once each', async () => {
  const passengers = [await app.person('Ann'), await app.person('Bob')];
  const asks: Promise<unknown>[] = [];
  await app.pool.query(`create sequence test_cuts`);
  await app.pool
    .query(`create function test_cuts_once() returns trigger language plpgsql security definer as $$
    begin
      if nextval('test_cuts') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$`);
  const pairs: { rideId: string; requestId: string }[] = [];
  for (const passenger of passengers) {
    const { id: rideId } = await publishRide(app, await app.person('Driver'));
    pairs.push({ rideId, requestId: (await publishRequest(app, passenger)).id });
  }
  await app.pool.query(`create constraint trigger test_cuts after insert on bookings
    deferrable initially deferred for each row execute function test_cuts_once()`);
  for (const [place, pair] of pairs.entries())
    asks.push(send(passengers[place]!, askToJoin, pair, crypto.randomUUID()));
  expect(await Promise.all(asks)).toMatchObject([{ code: 200 }, { code: 200 }]);
  await app.pool.query('drop trigger test_cuts on bookings');
  const { rows } = await app.pool.query(
    `select nextval('test_cuts')::int > 1 as "isCut", (select count(*)::int from bookings where request_id = any($1)) as bookings`,
    [pairs.map(({ requestId }) => requestId)],
  );
  expect(rows).toEqual([{ isCut: true, bookings: 2 }]);
});

test('a deploy between two tries does not repeat what one release has committed: the step keeps its name', async () => {
  const { db, clock, log, forAction } = app.platform;
  const keys = createIdempotency({ db, clock, log });
  const { id: userId } = await app.person('Rita');
  const use = { userId, key: crypto.randomUUID(), path: '/release', fingerprint: '' };
  const done: string[] = [];
  const cut = keys.once(use, async (claim) => {
    await forAction(claim).transact('write', async () => done.push('by the former release'));
    throw new Error('the process is replaced here');
  });
  await expect(cut).rejects.toThrow('replaced');
  const answer = await keys.once(use, async (claim) => {
    const { transact } = forAction(claim);
    await transact('check first', async () => done.push('a transaction that the former release had not'));
    const data = await transact('write', async (tx) => {
      await tx.execute(sql`select 'other code'`);
      return done.push('by the next release');
    });
    return { code: 200, info: '', data };
  });
  keys.stop();
  expect(done).toEqual(['by the former release', 'a transaction that the former release had not']);
  expect(answer.data).toBe(1);
});

test('two tries that both believe they are the one: only one commits', async () => {
  const mia = await app.person('Mia');
  const key = crypto.randomUUID();
  const holder = await app.pool.connect();
  await holder.query('begin; lock table vehicles in share row exclusive mode');
  const first = send(mia, createVehicle, { ...car, plate: 'TWO1234' }, key);
  await expect
    .poll(async () => (await app.pool.query(`select from pg_locks where not granted`)).rowCount)
    .toBeGreaterThan(0);
  // The first is so slow that it counts as dead.
  await leasesEnd();
  const second = send(mia, createVehicle, { ...car, plate: 'TWO1234' }, key);
  await sleep(100);
  await holder.query('commit');
  holder.release();
  expect(await first).toEqual(await second);
  expect((await app.ok(mia, listVehicles, {})).vehicles).toHaveLength(1);
});

test('a key that comes with something else is refused by name; a refusal frees it', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const key = crypto.randomUUID();
  expect(await send(driver, createVehicle, { ...car, plate: 'SAME123' }, key)).toMatchObject({ code: 200 });
  const other = await send(driver, createVehicle, { ...car, plate: 'ELSE123' }, key);
  expect(other).toMatchObject({
    code: 422,
    data: { fields: { idempotencyKey: expect.any(String) as string } },
  });
  const elsewhere = await send(driver, deleteAccount, { password: '' }, key);
  expect(elsewhere).toMatchObject({
    code: 422,
    data: { fields: { idempotencyKey: expect.any(String) as string } },
  });

  const ride = await publishRide(app, driver, { maxDetourMinutes: 30 });
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = asked.order.bookings[0]!.id;
  const again = crypto.randomUUID();
  // Not the driver's to withdraw.
  expect((await send(driver, withdraw, { bookingId }, again)).code).not.toBe(200);
  expect(await send(driver, accept, { bookingId }, again)).toMatchObject({ code: 200 });
});
