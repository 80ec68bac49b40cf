import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from '../platform/database/database-folder.ts';
import {
  hasWaitedTooLong,
  isConnectionLost,
  openPool,
  openPoolByPooler,
  usualLimits,
  type DatabaseLimits,
  type PoolConfig,
} from '../platform/database/db.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts';
import { PreparedStatementsClient } from '../platform/database/prepared-statements.ts';
import { migrateDatabase } from '../platform/database/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host?: string; port?: number; user?: string; password?: string; connectionString?: string };
  }
}

const template = 'sameway_template';
/** The role of the server, in tests too: it reads and writes rows, and cannot change tables. */
export const callsRole = { name: 'sameway_calls', password: 'of-tests-alone' };
/** Nothing here has to survive a power cut, or be read by another server. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  jit: 'off',
  max_connections: '200',
  autovacuum: 'off',
};
const failLoudly = (error: Error) => {
  // Databases are dropped while idle connections to them remain, and tests cut connections on purpose.
  if (!isConnectionLost(error) && !hasWaitedTooLong(error)) throw error;
};

/**
 * Vitest's global set-up: one throw-away PostgreSQL (or `TEST_DATABASE_URL`) with a migrated template
 * database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'];
  const folder = scratchFolder('sameway-test-', 2 * 1024 ** 3);
  const embedded =
    url === undefined ? await startEmbeddedPostgres(path.join(folder, 'postgres'), settings) : null;
  const connection = embedded?.connection ?? { connectionString: url };
  const admin = openPool(connection, failLoudly);
  try {
    await admin.query(`drop database if exists ${template}`);
    await admin.query(`create database ${template}`);
    const pool = openPool(connectionTo(connection, template), failLoudly);
    await migrateDatabase(pool, callsRole);
    await pool.end();
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  project.provide('postgres', connection);
  return async () => {
    await admin.end();
    await embedded?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * A fresh, migrated database of its own for one test file; `drop` when done.
 * @param poolerPort a pooler on 127.0.0.1 that leads to the same server, for what the server works on.
 */
export async function openTestDatabase(
  limits: Partial<DatabaseLimits> = {},
  poolerPort?: number,
): Promise<{
  /** The server's own pool; of one connection where `TEST_POOL_SIZE` says so. */
  pool: Pool;
  /** The test's own pool, for its queries and locks. */
  own: Pool;
  drop: () => Promise<void>;
}> {
  const connection: PoolConfig = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = openPool({ ...connection, max: 1 }, failLoudly);
  await admin.query(`create database ${name} template ${template}`);
  // A copied database does not keep the default grants.
  await admin.query(`revoke temporary on database ${name} from public`);
  const poolSize = Number(process.env['TEST_POOL_SIZE'] ?? usualLimits.poolSize);
  const all = { ...usualLimits, poolSize, ...limits };
  const direct = { ...asCalls(connectionTo(connection, name)), Client: PreparedStatementsClient };
  const pool =
    poolerPort === undefined
      ? openPool(direct, failLoudly, all)
      : openPoolByPooler(
          { host: '127.0.0.1', port: poolerPort, user: callsRole.name, database: name },
          direct,
          failLoudly,
          all,
        );
  const own = openPool(connectionTo(connection, name), failLoudly);
  return {
    pool,
    own,
    async drop() {
      await Promise.all([pool.end(), own.end()]);
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** The address of the database that a pool of tests leads to, for processes of their own. */
export function addressOf({ options }: Pool): string {
  if (options.connectionString !== undefined) return options.connectionString;
  const { host, port, user, password, database } = options;
  const at = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${String(password)}@/${database}?${at.toString()}`;
}

function asCalls(connection: PoolConfig): PoolConfig {
  const { name, password } = callsRole;
  if (connection.connectionString === undefined) return { ...connection, user: name, password };
  const url = new URL(connection.connectionString);
  [url.username, url.password] = [name, password];
  return { connectionString: url.href };
}

function connectionTo(connection: PoolConfig, database: string): PoolConfig {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}
