import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Pool } from 'pg';
import { migrateJobs } from './outbox.ts';

// Any number, the same in every process: whoever holds it migrates.
const migrationLock = 7_302_001;

/** Brings the schema up to date; safe when several processes start at once. */
export async function migrateDatabase(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder: path.join(import.meta.dirname, '..', 'migrations') });
    await migrateJobs(pool);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    client.release();
  }
}
