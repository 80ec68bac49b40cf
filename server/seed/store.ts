import type { Pool } from 'pg';
import type { BuiltApp } from '../app.ts';
import { hasPeople } from '../features/identity/queries.ts';
import { keepConnection, type Db } from '../platform/database/db.ts';
import { readSetting, writeSetting } from '../platform/database/settings.ts';
import { removeAccounts } from '../features/identity/service.ts';
import { removeOrdersOf } from '../features/orders/service.ts';

const noteName = 'demo.community';

// Any number, the same in every process: the process that holds this lock seeds.
const seedLock = 7_302_003;

/**
 * Whether the community is to be brought in: nothing else lives in the database, or only what a seed that was
 * broken off has left.
 */
export async function isToBeSeeded(db: Db): Promise<boolean> {
  const progress = await readProgress(db);
  return progress === 'begun' || (progress === null && !(await hasPeople(db)));
}

/** How far the seed got: not begun (null), begun and perhaps broken off, done. */
async function readProgress(db: Db): Promise<'begun' | 'done' | null> {
  const value = await readSetting(db, noteName);
  return value === 'begun' || value === 'done' ? value : null;
}

export const noteProgress = (db: Db, value: 'begun' | 'done'): Promise<void> =>
  writeSetting(db, noteName, value);

/** Runs `work` while no other process seeds; the lock ends with the process at the latest. */
export async function whileNobodyElseSeeds<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const { client, end } = await keepConnection(pool, 'sameway seed', () => undefined, null);
  try {
    await client.query('select pg_advisory_lock($1)', [seedLock]);
    return await work();
  } finally {
    end();
  }
}

/** Removes these people with everything they did, so that a seed that was broken off can begin again. */
export async function removePeople({ platform }: BuiltApp, tx: Db, ids: readonly string[]): Promise<void> {
  await platform.outbox.dropSignalsOf(tx, ids);
  const orderIds = await removeOrdersOf(tx, ids);
  await platform.outbox.emit(tx, 'orders.written', { orderIds }, noteName);
  await removeAccounts(tx, ids);
}
