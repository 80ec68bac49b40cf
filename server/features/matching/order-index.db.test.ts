import { setTimeout as sleep } from 'node:timers/promises';
import { eq, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, cancelOrder, withdraw } from '#contract/rides/endpoints.ts';
import { requestStates, rideStates } from '#contract/rides/moves.ts';
import { ordersForMatching } from '../../app.ts';
import { orderChanges, requests, rides } from '../../schema/rides.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { roadNetwork } from '../geo/region-roads.ts';
import { OrderIndex } from './order-index.ts';
import type { SearchIndex } from './search-index.ts';
import { changesOf, wishOf } from './store.ts';
import { searchIndex } from './own-index.ts';

let app: TestApp;
let drivers: TestPerson[];
let passenger: TestPerson;
/** A second process on the same database. */
let other: OrderIndex;

beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T15:00:00Z') });
  drivers = await Promise.all(['Ana', 'Ben', 'Cleo', 'Dan'].map((name) => app.person(name)));
  passenger = await app.person('Pia');
  await publishRequest(app, passenger);
  other = newIndex();
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const newIndex = () =>
  new OrderIndex({
    db: app.platform.db,
    kept: app.platform.kept,
    log: pino({ level: 'silent' }),
    orders: ordersForMatching,
    roads: { shared: roadNetwork(app.platform).shared },
    threads: 2,
  });

/** Blocks an index in the middle of reading, until `read` is called. */
function gateOf(index: OrderIndex): { read: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = index['begin'].bind(index);
  index['begin'] = async () => {
    await promise;
    return begin();
  };
  return { read: resolve };
}

async function found(index: SearchIndex): Promise<string[]> {
  const [request] = await app.platform.db.select().from(requests);
  const asker = { nowMs: app.clock.now().getTime(), hidden: [], most: 100, nearMisses: 0 };
  const answer = await index.ask({ kind: 'ridesFor', wish: wishOf(request!), offerCents: null, asker });
  return answer.hits.map(({ id }) => id).toSorted();
}

async function openIds(): Promise<string[]> {
  const rows = await app.platform.db.select({ id: rides.id }).from(rides).where(eq(rides.state, 'matching'));
  return rows.map(({ id }) => id).toSorted();
}

test('whoever asks sees what has been committed, in every process, with no signal delivered', async () => {
  expect(await found(other)).toEqual([]);
  const ride = await publishRide(app, drivers[0]!);
  expect(await found(other)).toEqual([ride.id]);
  expect(await found(searchIndex(app.platform))).toEqual([ride.id]);
  await app.ok(drivers[0]!, cancelOrder, { id: ride.id, reason: '' });
  expect(await found(other)).toEqual([]);
});

test('a transaction that began before a look and commits after it is not missed', async () => {
  const ride = await publishRide(app, drivers[1]!);
  expect(await found(other)).toEqual([ride.id]);
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await client.query("update rides set state = 'cancel' where id = $1", [ride.id]);
    // Others commit in between, so that the catch-up moves on past the open transaction.
    const next = await publishRide(app, drivers[2]!);
    expect(await found(other)).toEqual([ride.id, next.id].toSorted());
    await client.query('commit');
    expect(await found(other)).toEqual([next.id]);
  } finally {
    client.release();
  }
});

test('questions go on while everything is read anew, and see what changes meanwhile', async () => {
  const expected = await openIds();
  const rebuilt = other.rebuild();
  const answers = await Promise.all(Array.from({ length: 20 }, () => found(other)));
  for (const answer of answers) expect(answer).toEqual(expected);
  const ride = await publishRide(app, drivers[3]!);
  await rebuilt;
  expect(await found(other)).toEqual([...expected, ride.id].toSorted());
});

test('a thread that ends is replaced, and the question that was open is answered', async () => {
  const following = await other['following'];
  const asked = found(other);
  await following!.engine['threads'].at(-1)!['worker'].terminate();
  expect(await asked).toEqual(await openIds());
  expect(await found(other)).toEqual(await openIds());
});

test('who has not looked for longer than changes are kept reads everything anew', async () => {
  const following = (await other['following'])!;
  await app.platform.db.execute(sql`update rides set state = 'cancel' where id = ${(await openIds())[0]!}`);
  // The line that tells of it is gone, as after an hour.
  await app.platform.db.delete(orderChanges);
  following.lookedAtMs -= 51 * 60_000;
  expect(await found(other)).toEqual(await openIds());
  expect(await other['following']).not.toBe(following);
});

test('signals that follow each other quickly wake the index together, and what they tell of is read', async () => {
  await found(other);
  const driver = await app.person('Eve');
  const ride = await publishRide(app, driver);
  const asked = await statementsOf(async () => {
    for (let count = 0; count < 20; count++) {
      other.wake();
      await sleep(10);
    }
    await sleep(400);
  });
  const looks = asked.filter((text) => /from order_changes/.test(text)).length;
  expect(looks).toBeGreaterThanOrEqual(2);
  // The index of the app itself may poll by its own clock.
  expect(looks).toBeLessThanOrEqual(4);
  expect(await found(other)).toContain(ride.id);
  await app.ok(driver, cancelOrder, { id: ride.id, reason: '' });
});

test('while the index is being warmed a search is told so after a moment, and readiness is known', async () => {
  const index = newIndex();
  const { read } = gateOf(index);
  const warmed = index.warm();
  expect(index.isReady).toBe(false);
  await expect(index.soon()).rejects.toMatchObject({
    reason: 'server.gettingReady',
    code: 429,
    data: { retryAfterSeconds: 5 },
  });
  read();
  await warmed;
  expect(index.isReady).toBe(true);
  await index.soon();
  expect(await found(index)).toEqual(await openIds());
  await index.close();
});

test('an index that is closed while it is being built ends its thread', async () => {
  const index = newIndex();
  const asked = found(index);
  await index.close();
  await expect(asked).rejects.toThrow();
  await expect(found(index)).rejects.toThrow();
});

test('after a crash or a failover of the database what was committed with a number given again is found', async () => {
  const following = (await other['following'])!;
  // The run before knew numbers beyond those that the new one gives.
  following.run = 'another run';
  following.fromXid = String(BigInt(following.fromXid) + 1_000_000n);
  const ride = await publishRide(app, await app.person('Eva'));
  expect(await found(other)).toEqual(expect.arrayContaining([ride.id]));
  expect(await found(other)).toEqual(await openIds());
});

/** Another value of a column, by its type; none where it refers to rows that are not at hand. */
function otherValue(column: PgColumn, personId: string): SQL | null {
  const own = sql.identifier(column.name);
  if (['driver_id', 'passenger_id'].includes(column.name)) return sql`${personId}::uuid`;
  if (column.name.endsWith('_spots'))
    return sql`'[{"lon":-122.03,"lat":36.97,"walkMetres":90,"walkMs":80000,"name":"Bay Street"}]'::jsonb`;
  const byType: Record<string, SQL> = {
    integer: sql`coalesce(${own}, 0) + 1`,
    bigint: sql`${own} + 1`,
    'double precision': sql`${own} + 0.001`,
    boolean: sql`not ${own}`,
    text: sql`coalesce(${own}, '') || 'x'`,
    jsonb: sql`'[{}]'::jsonb`,
    'uuid[]': sql`array[gen_random_uuid()]`,
    'timestamp (3) with time zone': sql`coalesce(${own}, now()) + interval '1 minute'`,
  };
  return byType[column.getSQLType()] ?? null;
}

/** The index's entry of an order, before and after a change, and how many changes were noted of it. */
async function changed(table: string, id: string, set: SQL) {
  let result: { isOther: boolean; noted: number } | null = null;
  const undone = app.platform.db.transaction(async (tx) => {
    const before = JSON.stringify(await changesOf(tx, ordersForMatching, [id]));
    await tx.execute(sql`update ${sql.identifier(table)} set ${set} where id = ${id}`);
    const after = JSON.stringify(await changesOf(tx, ordersForMatching, [id]));
    const noted = await tx.$count(orderChanges, sql`xid = pg_current_xact_id()`);
    result = { isOther: after !== before, noted };
    throw new Error('Rollback');
  });
  await expect(undone).rejects.toThrow('Rollback');
  return result!;
}

test('of a change to an order the index hears if and only if it holds something of it', async () => {
  const driver = await app.person('Dot');
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, await app.person('Quin'));
  for (const [table, id] of [
    [rides, ride.id],
    [requests, request.id],
  ] as const) {
    const name = getTableName(table);
    const heard = new Map<string, string>();
    for (const column of Object.values(getTableColumns(table)) as PgColumn[]) {
      const value = otherValue(column, passenger.id);
      if (['id', 'state', 'via_passed'].includes(column.name) || value === null) continue;
      const { isOther, noted } = await changed(name, id, sql`${sql.identifier(column.name)} = ${value}`);
      // Which process holds an order follows from its region; a new number comes with new meeting points.
      const isHeld = isOther || ['region_id', 'meeting_points_version'].includes(column.name);
      if (noted > 0 !== isHeld)
        heard.set(column.name, isHeld ? 'is held and not noted' : 'is noted for nothing');
    }
    const states = table === rides ? rideStates : requestStates;
    for (const state of states) {
      const { isOther, noted } = await changed(name, id, sql`state = ${state}`);
      if (noted > 0 !== isOther) heard.set(state, 'a state');
    }
    expect([name, ...heard]).toEqual([name]);
  }
  await app.ok(driver, cancelOrder, { id: ride.id, reason: '' });
});

test('the index hears of a passenger who joins or cancels, and not of an ask that comes to nothing', async () => {
  const [driver, rider] = [await app.person('Dee'), await app.person('Rob')];
  const ride = await publishRide(app, driver, { seats: 2 });
  const request = await publishRequest(app, rider);
  const noted = async (act: () => Promise<unknown>) => {
    const before = await app.platform.db.$count(orderChanges);
    await act();
    return (await app.platform.db.$count(orderChanges)) - before;
  };
  const input = { rideId: ride.id, requestId: request.id };
  const asked = async () => (await app.ok(rider, askToJoin, input)).order.bookings.at(-1)!.id;
  let bookingId = '';
  expect(await noted(async () => (bookingId = await asked()))).toBe(0);
  expect(await noted(() => app.ok(rider, withdraw, { bookingId }))).toBe(0);
  bookingId = await asked();
  expect(await noted(() => app.ok(driver, accept, { bookingId }))).toBeGreaterThan(0);
  expect(await noted(() => app.ok(rider, cancelOrder, { id: request.id, reason: '' }))).toBeGreaterThan(0);
  await app.ok(driver, cancelOrder, { id: ride.id, reason: '' });
});
