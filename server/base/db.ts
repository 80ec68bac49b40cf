import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool, type PoolClient, type PoolConfig as PgPoolConfig } from 'pg';

/** The pool, or a transaction on it: what a store works on. */
export type Db = NodePgDatabase;
export type PoolConfig = PgPoolConfig;

/** Opens a pool; idle connections that break are replaced silently by the pool. */
export function openPool(config: PoolConfig, onError: (error: Error) => void): Pool {
  const pool = new Pool({ max: 12, ...config });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** A connection that is kept for as long as something listens on it, or holds locks with it. */
export interface KeptConnection {
  client: PoolClient;
  /** Ends it; more than once is no harm. */
  end(): void;
}

/** Takes a connection out of the pool for good. @param onBroken called once if it breaks before it is ended. */
export async function keepConnection(pool: Pool, onBroken: () => void): Promise<KeptConnection> {
  const client = await pool.connect();
  let isKept = true;
  const end = () => {
    if (isKept) client.release(true);
    isKept = false;
  };
  // One that is cut says so more than once, and may still do so after it has been ended.
  client.on('error', () => {
    if (!isKept) return;
    end();
    onBroken();
  });
  return { client, end };
}

export const databaseOf = (pool: Pool): Db => drizzle(pool);

/** The SQLSTATE of a failed statement, wherever the driver put it; null for other errors. */
export function sqlState(error: unknown): string | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string' && /^[0-9A-Z]{5}$/.test(each.code)) return each.code;
  }
  return null;
}

/** The name of the constraint a statement broke; null for other errors. */
export function brokenConstraint(error: unknown): string | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ('constraint' in each && typeof each.constraint === 'string') return each.constraint;
  }
  return null;
}
