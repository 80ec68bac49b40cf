import type { Pool } from 'pg';
import { secondMs } from '../clock.ts';
import type { Log } from '../observability/log.ts';
import { databaseOf, hasWaitedTooLong, isConnectionLost, sqlState, type Db } from './db.ts';
import { createLongReads, type LongRead } from './long-reads.ts';

/**
 * Reads of what may be some seconds old: figures, what was worked out for all. Never of what the person who
 * asks may have just written.
 */
export interface LaggingReads {
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  longRead: LongRead;
}

/** Pause before a replica that has failed is tried again. */
const leftAloneMs = 5 * secondMs;

/**
 * Reads from a replica, and from the primary while the replica does not answer.
 * @param replica null where there is none.
 */
export function createLaggingReads(pool: Pool, replica: Pool | null, log: Log): LaggingReads {
  const primary = { db: databaseOf(pool), longRead: createLongReads(pool) };
  if (replica === null) return { read: (work) => work(primary.db), longRead: primary.longRead };
  const standby = { db: databaseOf(replica), longRead: createLongReads(replica) };
  let leftAloneUntilMs = 0;

  async function fromEither<T>(read: (at: typeof primary) => Promise<T>): Promise<T> {
    if (performance.now() >= leftAloneUntilMs)
      try {
        return await read(standby);
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        leftAloneUntilMs = performance.now() + leftAloneMs;
        log.warn({ err: error }, 'the replica does not answer; the primary does meanwhile');
      }
    return read(primary);
  }
  return {
    read: (work) => fromEither(({ db }) => work(db)),
    longRead: (work) => fromEither(({ longRead }) => longRead(work)),
  };
}

/** Also what it ends because it has to apply what the primary has removed. */
const isOfReplica = (error: unknown): boolean =>
  isConnectionLost(error) || hasWaitedTooLong(error) || sqlState(error) === '40001';
