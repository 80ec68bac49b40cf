import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { freePort } from '../../testing/server-process.ts';
import { openPool, type Db } from './db.ts';
import { createLaggingReads } from './replica.ts';

type Database = Awaited<ReturnType<typeof openTestDatabase>>;
let primary: Database;
let replica: Database;
beforeAll(async () => {
  [primary, replica] = [await openTestDatabase(), await openTestDatabase()];
});
afterAll(async () => {
  await primary.drop();
  await replica.drop();
});

const log = pino({ level: 'silent' });
const nameOf = async (db: Db) =>
  (await db.execute<{ name: string }>(sql`select current_database() as name`)).rows[0]!.name;

test('what may lag is read from the replica, and from the primary when that is gone', async () => {
  const without = createLaggingReads(primary.pool, null, log);
  const both = createLaggingReads(primary.pool, replica.pool, log);
  const here = await without.read(nameOf);
  const there = await both.read(nameOf);
  expect(there).not.toBe(here);
  expect(await both.longRead(nameOf)).toBe(there);

  // An error of the query itself is not repeated on the primary.
  await expect(both.read((db) => db.execute(sql`select 1 / 0`))).rejects.toThrow();
  expect(await both.read(nameOf)).toBe(there);

  const gone = openPool({ host: '127.0.0.1', port: await freePort() }, () => {});
  const alone = createLaggingReads(primary.pool, gone, log);
  expect(await alone.read(nameOf)).toBe(here);
  expect(await alone.longRead(nameOf)).toBe(here);
  await gone.end();
});
