import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import { ordersForMatching } from '../../app.ts';
import { dayMs } from '../../platform/clock.ts';
import { requests, rides } from '../../schema/rides.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { roadNetwork } from '../geo/region-roads.ts';
import { OrderIndex } from './order-index.ts';
import type { SearchIndex } from './search-index.ts';
import { wishOf } from './store.ts';
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

test('what is committed after rows of the log that were written later is not missed', async () => {
  const ride = await publishRide(app, drivers[1]!);
  expect(await found(other)).toEqual([ride.id]);
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await client.query("update rides set state = 'cancel' where id = $1", [ride.id]);
    await client.query(
      `insert into event_log (items) values (jsonb_build_array(jsonb_build_object('name', 'orders.written',
         'key', $1::text, 'at', now(), 'payload', jsonb_build_object('orderIds', array[$1::text]))))`,
      [ride.id],
    );
    // Others commit in between, and are numbered and read: the cursor moves on past the open transaction.
    const next = await publishRide(app, drivers[2]!);
    await app.deliver();
    expect(await found(other)).toEqual([ride.id, next.id].toSorted());
    expect((await other['following'])!.seen).toEqual([]);
    await client.query('commit');
    expect(await found(other)).toEqual([next.id]);
    await app.deliver();
    expect(await found(other)).toEqual([next.id]);
  } finally {
    client.release();
  }
});

test('where no process numbers the log the index does, once a thousand rows wait', async () => {
  const { db } = app.platform;
  await db.execute(sql`insert into event_log (items) select '[]' from generate_series(1, 1500)`);
  for (let each = 0; each < 2; each++) await found(other);
  const { rows } = await db.execute(sql`select from event_log where seq is null`);
  expect(rows.length).toBeLessThan(1000);
  expect(await found(other)).toEqual(await openIds());
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

test('an index that has not read the log for longer than it goes back reads everything again', async () => {
  const following = (await other['following'])!;
  await app.platform.db.execute(sql`update rides set state = 'cancel' where id = ${(await openIds())[0]!}`);
  following.polledAtMs -= dayMs + 1;
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
  const looks = asked.filter((text) => /from event_log/.test(text)).length;
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

test('after a failover, which may give numbers of the log again, everything is read again', async () => {
  const following = (await other['following'])!;
  following.timeline = '00000000';
  following.seq += 1_000_000;
  const ride = await publishRide(app, await app.person('Eva'));
  expect(await found(other)).toEqual(expect.arrayContaining([ride.id]));
  expect(await found(other)).toEqual(await openIds());
  expect(await other['following']).not.toBe(following);
});
