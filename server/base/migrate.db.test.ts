import { randomUUID } from 'node:crypto';
import { inject, expect, test } from 'vitest';
import { openPool, type PoolConfig } from './db.ts';
import { migrateDatabase } from './migrate.ts';

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
