import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { msgList, sendMessage } from '#contract/chat/endpoints.ts';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import { createVehicle } from '#contract/vehicles/endpoints.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { callsRole } from '../../testing/database.ts';
import { openPgBouncer } from '../../testing/pgbouncer.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { openDatabase } from './open-database.ts';

const { host = '', port = 0, user = '', password = '' } = inject('postgres');
const pooler = await openPgBouncer({ host, port, user: callsRole.name, password: callsRole.password });
const withPooler = test.skipIf(pooler === null);

let app: TestApp;
beforeAll(async () => {
  if (pooler === null) return;
  const limits = { lockTimeoutMs: 300, statementTimeoutMs: 2500, idleTimeoutMs: 700 };
  app = await openTestApp({ poolerPort: pooler.port, limits });
});
afterAll(async () => {
  if (pooler === null) return;
  await app.platform.outbox.stop();
  await app.close();
  await pooler.stop();
});

withPooler(
  'a ride is published, joined and talked about by way of a pooler, signals and jobs included',
  async () => {
    await app.platform.outbox.start(app.serverPool, app.platform.log);
    const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
    const ride = await publishRide(app, driver);
    const request = await publishRequest(app, passenger);
    const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
    await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
    // The room is opened by a listener of the event log.
    await vi.waitFor(
      () => app.ok(driver, sendMessage, { roomid: ride.id, clientId: crypto.randomUUID(), text: 'Hello' }),
      { timeout: 20_000 },
    );
    const { messages } = await app.ok(passenger, msgList, { roomid: ride.id, offset: 0, size: 20 });
    expect(messages.map(({ text }) => text)).toContain('Hello');
    await app.pool.query(`select graphile_worker.add_job('text', $1::json)`, [
      JSON.stringify({ to: '+14085550100', text: 'By the queue', about: 'a test' }),
    ]);
    const left = async () => (await app.pool.query('select from graphile_worker.jobs')).rowCount;
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
  },
);

const busy = { code: 429, reason: 'server.busy' };
const car = {
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback',
  year: 2021,
  color: 'blue',
  seats: 4,
} as const;

withPooler(
  'limits hold in each transaction, and are not left behind on connections that others get',
  async () => {
    const mia = await app.person('Mia');
    const holder = await app.pool.connect();
    await holder.query('begin; lock table vehicles in share row exclusive mode');
    expect(await app.call(mia, createVehicle, { ...car, plate: 'LOCK123' })).toMatchObject(busy);
    await holder.query('rollback');
    holder.release();
    const { db, longRead, transact } = app.platform;
    await expect(transact('test', (tx) => tx.execute(sql`select pg_sleep(5)`))).rejects.toThrow();
    await longRead((tx) => tx.execute(sql`select pg_sleep(3)`));
    const shown = await db.execute<{ lock_timeout: string }>(sql`show lock_timeout`);
    expect(shown.rows[0]?.lock_timeout).toBe('0');
  },
);

withPooler('statements with names work at whichever connection they arrive', async () => {
  const question = { name: 'the-same-name', text: 'select $1::int as answer' };
  for (let each = 0; each < 20; each++) {
    const { rows } = await app.serverPool.query<{ answer: number }>({ ...question, values: [each] });
    expect(rows).toEqual([{ answer: each }]);
  }
});

withPooler('an empty database is migrated past the pooler', async () => {
  const name = `pooled_${crypto.randomUUID().replaceAll('-', '')}`;
  await app.pool.query(`create database ${name}`);
  const at = new URLSearchParams({ host, port: String(port) });
  const opened = await openDatabase(
    {
      DATA_DIR: '.',
      DATABASE_URL: `postgresql://${callsRole.name}@127.0.0.1:${pooler!.port}/${name}`,
      DATABASE_DIRECT_URL: `postgresql://${callsRole.name}:${callsRole.password}@/${name}?${at.toString()}`,
      DATABASE_MIGRATION_URL: `postgresql://${user}:${password}@/${name}?${at.toString()}`,
    },
    { onError: () => {} },
  );
  const { rows } = await opened.pool.query<{ count: number }>('select count(*)::int as count from users');
  expect(rows).toEqual([{ count: 0 }]);
  await opened.close();
  await app.pool.query(`drop database ${name} with (force)`);
});
