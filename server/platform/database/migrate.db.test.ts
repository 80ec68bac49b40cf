import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { applyMigrations } from './apply-migrations.ts';
import { openPool, type PoolConfig } from './db.ts';
import { knownMigrations, migrateDatabase } from './migrate.ts';
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
    expect(Number(applied.rows[0]?.count)).toBe(knownMigrations().length);
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

test('a migration that waits for a table lets others use it, and is applied when the table is free', async () => {
  const { own: pool, drop } = await openTestDatabase();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-migrations-'));
  const when = Date.now();
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  fs.mkdirSync(path.join(folder, 'meta'));
  write('meta/_journal.json', JSON.stringify({ entries: [{ tag: '9999_of-this-test', when }] }));
  write(
    '9999_of-this-test.sql',
    'create table kept (id int);--> statement-breakpoint\nalter table users add column a text;--> statement-breakpoint\nalter table alerts add column b text;',
  );
  const [migrating, busy] = [await pool.connect(), await pool.connect()];
  try {
    // As a call does that reads alerts first and people after them: a migration that waited for alerts would
    // keep people from it for ever.
    await busy.query('begin');
    await busy.query('select from alerts');
    const applied = applyMigrations(migrating, { folder, tags: ['9999_of-this-test'] });
    await vi.waitFor(async () => {
      const { rowCount } = await pool.query(
        `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rowCount).toBe(1);
    });
    const from = performance.now();
    await busy.query('select from users');
    expect(performance.now() - from).toBeLessThan(900);
    await busy.query('commit');
    await applied;
    const { rows } = await pool.query('select a, b, kept.id from users, alerts, kept');
    expect(rows).toEqual([]);
    await applyMigrations(migrating, { folder, tags: ['9999_of-this-test'] });
  } finally {
    migrating.release();
    busy.release();
    await drop();
    fs.rmSync(folder, { recursive: true });
  }
});

test('each migration was written after the one before: both the migrator and the check for newer releases go by that', () => {
  const file = new URL('../../migrations/meta/_journal.json', import.meta.url);
  const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });
  const { entries } = journal.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const times = entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});
