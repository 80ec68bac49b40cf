import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { openPool, type PoolConfig } from './db.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import type { Env } from './env.ts';
import { migrateDatabase } from './migrate.ts';

export interface OpenDatabase {
  pool: Pool;
  /** `given` by `DATABASE_URL`, the embedded one `started` by this process, or `found` running. */
  server: 'given' | 'started' | 'found';
  /** Ends the pool, and the embedded server too unless another process still works on it. */
  close(): Promise<void>;
}

/**
 * Opens the database of this installation and brings it up to date: the one `DATABASE_URL` names, else the embedded one
 * in `DATA_DIR`, started when it does not run yet.
 * @param onError told of connections that broke while idle.
 * @throws Error when the embedded server does not come up, or the given one does not answer.
 */
export async function openDatabase(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  const embedded = env.DATABASE_URL === undefined ? await startIn(env.DATA_DIR) : null;
  const connection: PoolConfig = embedded?.connection ?? { connectionString: env.DATABASE_URL };
  const pool = openPool(connection, onError);
  const close = async () => {
    await pool.end();
    if (embedded !== null && !(await isUsedByOthers(connection))) await embedded.stop();
  };
  try {
    await migrateDatabase(pool);
  } catch (error) {
    await close();
    throw new Error(`The database cannot be used. ${textOf(error)}`, { cause: error });
  }
  return { pool, server: embedded === null ? 'given' : embedded.attached ? 'found' : 'started', close };
}

function startIn(dataFolder: string): Promise<EmbeddedPostgres> {
  // The server may run as another user, who must be able to pass through; its own folder inside is private.
  fs.mkdirSync(dataFolder, { recursive: true });
  if (process.getuid?.() === 0) fs.chmodSync(dataFolder, fs.statSync(dataFolder).mode | 0o111);
  return startEmbeddedPostgres(path.join(dataFolder, 'postgres'));
}

/** Whether another process, such as a second server or `npm run admin`, is connected. */
async function isUsedByOthers(connection: PoolConfig): Promise<boolean> {
  const client = new Client(connection);
  try {
    await client.connect();
    // The connections of the pool just ended take a moment to go.
    for (let waited = 0; waited < 500; waited += 50) {
      const { rows } = await client.query<{ others: number }>(
        `select count(*)::int as others from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows[0]?.others === 0) return false;
      await sleep(50);
    }
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

// A connection refused by a name with several addresses is an AggregateError without words of its own.
function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(textOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
