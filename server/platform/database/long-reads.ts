import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { allowLongStatements, inTransaction, type Db } from './db.ts';
import { createKeyedLock } from './keyed-lock.ts';

/**
 * Runs what reads much: figures over everything, a copy of everything about a person. One at a time in a
 * process, so that calls keep the other connections; in a transaction that only reads, all of one moment,
 * without the limit on statements. Refuses `server.busy` to a person who waits too long.
 */
export type LongRead = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

export function createLongReads(pool: Pool): LongRead {
  const lines = createKeyedLock();
  return (work) =>
    lines.wait('long reads', () =>
      inTransaction(pool, async (tx) => {
        await tx.execute(sql`set transaction isolation level repeatable read, read only`);
        await allowLongStatements(tx);
        return work(tx);
      }),
    );
}
