import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { inSavepoint, inTransaction, isConnectionLost } from './db.ts';

let app: TestApp;
let pool: Pool;
beforeAll(async () => {
  app = await openTestApp();
  pool = app.serverPool;
  await app.pool.query('create table tried (id int primary key, value int not null check (value < 100))');
  await app.pool.query('grant select, insert, update, delete on tried to public');
});
afterEach(async () => {
  await pool.query('delete from tried');
});
afterAll(() => app.close());

const insert = (value: number) => sql`insert into tried (id, value) values (${value}, ${value})`;
const values = async () =>
  (await pool.query<{ value: number }>('select value from tried order by id')).rows.map(({ value }) => value);

test('work that fails leaves nothing, and its connection serves the next', async () => {
  const failed = inTransaction(pool, async (tx) => {
    await tx.execute(insert(1));
    await tx.execute(insert(100));
  });
  await expect(failed).rejects.toThrow();
  expect(await inTransaction(pool, async (tx) => (await tx.execute(insert(2))).rowCount)).toBe(1);
  expect(await values()).toEqual([2]);
  const open = await pool.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(open.rowCount).toBe(0);
});

test('work that goes on past a failed statement is not taken for committed', async () => {
  const unnoticed = inTransaction(pool, async (tx) => {
    await tx.execute(insert(1));
    await tx.execute(insert(100)).catch(() => undefined);
  });
  await expect(unnoticed).rejects.toThrow('rolled back');
  expect(await values()).toEqual([]);
});

test('what a savepoint undoes is undone alone', async () => {
  await inTransaction(pool, async (tx) => {
    await tx.execute(insert(1));
    const failed = inSavepoint(tx, async (inner) => {
      await inner.execute(insert(2));
      await inner.execute(insert(100));
    });
    await expect(failed).rejects.toThrow();
    await inSavepoint(tx, (inner) => inner.execute(insert(3)));
  });
  expect(await values()).toEqual([1, 3]);
});

test('a connection that is lost in a transaction is reported as such, and is not used again', async () => {
  const cut = inTransaction(pool, async (tx) => {
    await tx.execute(insert(1));
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(cut.catch((error: unknown) => isConnectionLost(error))).resolves.toBe(true);
  expect(await values()).toEqual([]);
});

test('a transaction that keeps plans makes generic ones, and leaves its connection as it was', async () => {
  const mode = sql`select current_setting('plan_cache_mode') as mode`;
  const inside = await inTransaction(pool, async (tx) => (await tx.execute(mode)).rows, true);
  expect(inside).toEqual([{ mode: 'force_generic_plan' }]);
  const outside = await inTransaction(pool, async (tx) => (await tx.execute(mode)).rows);
  expect(outside).toEqual([{ mode: 'auto' }]);
});
