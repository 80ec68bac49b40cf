import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { inject, expect, test } from 'vitest';
import { z } from 'zod';
import { openPool, type PoolConfig } from './db.ts';
import { migrateDatabase } from './migrate.ts';
import { openTestDatabase } from '../../testing/database.ts';

test('three processes that start at once on an empty database migrate it once', async () => {
  const connection: PoolConfig = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = openPool({ ...connection, max: 1 }, () => {});
  await admin.query(`create database ${name}`);
  const target: PoolConfig =
    connection.connectionString === undefined
      ? { ...connection, database: name }
      : {
          connectionString: Object.assign(new URL(connection.connectionString), { pathname: `/${name}` })
            .href,
        };
  const pools = Array.from({ length: 3 }, () => openPool(target, () => {}));
  try {
    await Promise.all(pools.map((pool) => migrateDatabase(pool)));
    const applied = await pools[0]!.query<{ count: string }>(
      'select count(*) as count from drizzle.__drizzle_migrations',
    );
    const tables = await pools[0]!.query('select 1 from information_schema.tables where table_name = $1', [
      'ride_stops',
    ]);
    expect(Number(applied.rows[0]?.count)).toBeGreaterThanOrEqual(6);
    expect(tables.rowCount).toBe(1);
    await migrateDatabase(pools[1]!);
    const again = await pools[0]!.query<{ count: string }>(
      'select count(*) as count from drizzle.__drizzle_migrations',
    );
    expect(again.rows).toEqual(applied.rows);
  } finally {
    for (const pool of pools) await pool.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
});

test('a release does not start on the schema of a newer one, and names the one it takes', async () => {
  const { own: pool, drop } = await openTestDatabase();
  try {
    const { rows } = await pool.query<{ when: number }>(
      'select created_at::float8 as "when" from drizzle.__drizzle_migrations order by created_at desc limit 1',
    );
    const older = [{ tag: '0030_older', when: rows[0]!.when - 1 }];
    const newest = { version: '3.1.0', migrations: [...older, { tag: '0031_newer', when: rows[0]!.when }] };
    await migrateDatabase(pool, null, newest);
    await expect(migrateDatabase(pool, null, { version: '3.0.20', migrations: older })).rejects.toThrow(
      'It was brought up to date by Sameway 3.1.0 (0031_newer), and this is Sameway 3.0.20, which knows the schema up to 0030_older only.',
    );
    await migrateDatabase(pool, null, newest);
  } finally {
    await drop();
  }
});

test('each migration was written after the one before: both the migrator and the check for newer releases go by that', () => {
  const file = new URL('../../migrations/meta/_journal.json', import.meta.url);
  const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });
  const { entries } = journal.parse(JSON.parse(readFileSync(file, 'utf8')));
  const times = entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});
