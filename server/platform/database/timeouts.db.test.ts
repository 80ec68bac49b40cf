import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { createVehicle, listVehicles } from '#contract/vehicles/endpoints.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { inTransaction } from './db.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({
    limits: {
      poolSize: 2,
      lockTimeoutMs: 300,
      statementTimeoutMs: 1500,
      idleTimeoutMs: 700,
      connectTimeoutMs: 500,
    },
  });
});
afterAll(() => app.close());

const car = {
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback',
  year: 2021,
  color: 'blue',
  seats: 4,
} as const;
const busy = { code: 429, reason: 'server.busy', data: { retryAfterSeconds: expect.any(Number) as number } };

test('who waits too long for a lock is told to try again, and the same works afterwards', async () => {
  const mia = await app.person('Mia');
  const holder = await app.pool.connect();
  await holder.query('begin; lock table vehicles in share row exclusive mode');
  expect(await app.call(mia, createVehicle, { ...car, plate: 'LOCK123' })).toMatchObject(busy);
  await holder.query('rollback');
  holder.release();
  expect(await app.call(mia, createVehicle, { ...car, plate: 'LOCK123' })).toMatchObject({ code: 200 });
});

test('a statement that runs too long ends, is told as busy, and leaves nothing behind', async () => {
  const mia = await app.person('Mia');
  await app.pool.query(`create function test_slow() returns trigger language plpgsql as $$
    begin perform pg_sleep(5); return new; end $$`);
  await app.pool.query(
    `create trigger test_slow before insert on vehicles for each row execute function test_slow()`,
  );
  expect(await app.call(mia, createVehicle, { ...car, plate: 'SLOW123' })).toMatchObject(busy);
  await app.pool.query('drop trigger test_slow on vehicles');
  expect((await app.ok(mia, listVehicles, {})).vehicles).toEqual([]);
});

test('what is known to take long may: the limit is lifted for its transaction alone', async () => {
  const { longRead, db } = app.platform;
  await longRead((tx) => tx.execute(sql`select pg_sleep(2)`));
  await expect(db.execute(sql`select pg_sleep(2)`)).rejects.toThrow();
});

test('a transaction that does nothing for too long is ended, and what it held is free', async () => {
  const mia = await app.person('Mia');
  const forgotten = inTransaction(app.serverPool, async (tx) => {
    await tx.execute(sql`update users set interests = 'Sleep' where id = ${mia.id}`);
    await sleep(1500);
    await tx.execute(sql`select 1`);
  });
  await expect(forgotten).rejects.toThrow();
  expect(await app.ok(mia, saveProfile, { name: 'Mia' })).toMatchObject({ interests: '' });
});

test('who waits too long for a connection is told to try again', async () => {
  const mia = await app.person('Mia');
  const taken = [await app.serverPool.connect(), await app.serverPool.connect()];
  expect(await app.call(mia, readProfile, {})).toMatchObject(busy);
  for (const client of taken) client.release();
  expect(await app.call(mia, readProfile, {})).toMatchObject({ code: 200 });
});
