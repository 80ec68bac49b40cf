import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Platform } from '../platform/platform.ts';
import { keepConnection, type Db } from '../platform/database/db.ts';
import { readSetting, writeSetting } from '../platform/database/settings.ts';
import { events } from '../schema/events.ts';
import { sessions, users } from '../schema/identity.ts';
import { news } from '../schema/notifications.ts';
import { moveHistory, requests, rides } from '../schema/rides.ts';
import { licences } from '../schema/vehicles.ts';

const noteName = 'demo.community';

// Any number, the same in every process: whoever holds it seeds.
const seedLock = 7_302_003;

/** How far the seed got: not begun (null), begun and perhaps broken off, done. */
export async function readProgress(db: Db): Promise<'begun' | 'done' | null> {
  const value = await readSetting(db, noteName);
  return value === 'begun' || value === 'done' ? value : null;
}

export const noteProgress = (db: Db, value: 'begun' | 'done'): Promise<void> =>
  writeSetting(db, noteName, value);

export async function hasPeople(db: Db): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

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

/** News of days gone by is read by now. */
export async function readNewsBefore(db: Db, before: Date): Promise<void> {
  await db.update(news).set({ readAt: news.at }).where(lt(news.at, before));
}

export async function insertPeople(db: Db, rows: (typeof users.$inferInsert)[]): Promise<void> {
  await db.insert(users).values(rows);
}

export async function insertLicence(db: Db, row: typeof licences.$inferInsert): Promise<void> {
  await db.insert(licences).values(row);
}

export async function insertEvents(db: Db, rows: (typeof events.$inferInsert)[]): Promise<void> {
  await db.insert(events).values(rows);
}

/** Removes these people with everything they did, so that a seed that was broken off can begin again. */
export async function removePeople(tx: Db, ids: readonly string[]): Promise<void> {
  const those = [...ids];
  const ofThem = sql`(${sql.param(those)}::uuid[])`;
  await tx
    .delete(moveHistory)
    .where(
      or(
        sql`${moveHistory.rideId} in (select ${rides.id} from ${rides} where ${rides.driverId} = any${ofThem})`,
        sql`${moveHistory.requestId} in (select ${requests.id} from ${requests} where ${requests.passengerId} = any${ofThem})`,
      ),
    );
  // A delivery whose signal is gone does nothing.
  await tx.execute(sql`
    delete from signals where exists (select 1 from unnest(${sql.param(those)}::text[]) person
      where person in (payload->>'driverId', payload->>'passengerId', payload->>'authorId', payload->>'userId'))`);
  await tx.delete(rides).where(inArray(rides.driverId, those));
  await tx.delete(users).where(inArray(users.id, those));
}

/** What is kept of an account's password; null where there is no such account. */
export async function passwordHashOf(db: Db, email: string): Promise<string | null> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, email));
  return row?.passwordHash ?? null;
}

/** Gives an account another password and ends its sessions, which began with the former one. */
export const keepPassword = (
  { transact, clock }: Pick<Platform, 'transact' | 'clock'>,
  email: string,
  passwordHash: string,
): Promise<void> =>
  transact(async (tx) => {
    const [person] = await tx
      .update(users)
      .set({ passwordHash })
      .where(eq(users.email, email))
      .returning({ id: users.id });
    if (person === undefined) return;
    await tx
      .update(sessions)
      .set({ endedAt: clock.now() })
      .where(and(eq(sessions.userId, person.id), isNull(sessions.endedAt)));
  });
