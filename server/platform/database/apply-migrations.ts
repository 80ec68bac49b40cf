import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { ClientBase } from 'pg';
import { minuteMs } from '../clock.ts';

/**
 * How long a migration waits for a table: everyone who needs that table waits behind it. Less than
 * PostgreSQL's `deadlock_timeout` of a second, after which it would end one of two who wait for each other:
 * perhaps the call of a person.
 */
const lockMs = 500;
const pauseMs = 300;
const givesUpAfterMs = 10 * minuteMs;
/** Not free in time, and a deadlock. */
const lockCodes: readonly unknown[] = ['55P03', '40P01'];

/**
 * Applies the migrations that a database does not have yet, oldest first, while processes of the former
 * release use it: each in a transaction of its own, which is tried again if it does not get its locks soon.
 * The table of what is done is that of drizzle-kit's migrator.
 * @param tags their names, in the same order
 * @throws Error if other transactions keep a table for ten minutes
 */
export async function applyMigrations(
  client: ClientBase,
  { folder, tags }: { folder: string; tags: readonly string[] },
): Promise<void> {
  await client.query('create schema if not exists drizzle');
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  const { rows } = await client.query<{ last: number | null }>(
    'select max(created_at)::float8 as last from drizzle.__drizzle_migrations',
  );
  for (const [at, { sql, hash, folderMillis }] of readMigrationFiles({ migrationsFolder: folder }).entries())
    if (folderMillis > (rows[0]?.last ?? 0))
      await untilLocked(String(tags[at]), () =>
        inTransaction(client, async () => {
          await client.query(`set local lock_timeout = ${lockMs}`);
          for (const statement of sql) await client.query(statement);
          await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
            hash,
            folderMillis,
          ]);
        }),
      );
}

async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function untilLocked(tag: string, apply: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await apply();
    } catch (error) {
      if (!lockCodes.includes((error as { code?: unknown }).code)) throw error;
      if (performance.now() - startedAt > givesUpAfterMs)
        throw new Error(
          `The migration ${tag} has waited ten minutes for a table that other connections keep locked. End their transactions (pg_stat_activity), or stop the other processes.`,
          { cause: error },
        );
      await sleep(pauseMs);
    }
  }
}
