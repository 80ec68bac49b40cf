import { and, asc, desc, eq, lte, ne, sql } from 'drizzle-orm';
import { mostEarlier } from '#contract/licenses/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { licences } from '../../../schema/vehicles.ts';
import { holdPerson } from '../../identity/queries.ts';

export type LicenseRow = typeof licences.$inferSelect;

/** The same for all installations: more than an admin reviews in one session. */
const mostWaiting = 200;

export async function latestLicense(db: Db, userId: string): Promise<LicenseRow | null> {
  const [row] = await db
    .select()
    .from(licences)
    .where(eq(licences.userId, userId))
    .orderBy(desc(licences.createdAt))
    .limit(1);
  return row ?? null;
}

export async function findLicense(db: Db, id: string): Promise<LicenseRow | null> {
  const [row] = await db.select().from(licences).where(eq(licences.id, id));
  return row ?? null;
}

/** Withdraws a person's waiting photos, because they send new ones. @returns the ids of the pictures. */
export async function takeBackWaiting(tx: Db, userId: string): Promise<string[]> {
  // Otherwise two sent at once would each withdraw only earlier ones, and both would wait.
  await holdPerson(tx, userId);
  const rows = await tx
    .delete(licences)
    .where(and(eq(licences.userId, userId), eq(licences.status, 'Reviewing')))
    .returning();
  return rows.flatMap(({ frontId, backId }) => [frontId, backId]).filter((id) => id !== null);
}

export async function insertLicense(tx: Db, row: typeof licences.$inferInsert): Promise<void> {
  await tx.insert(licences).values(row);
}

/** Decides about photos that still wait; null when another admin has decided, or they were withdrawn. */
export async function decide(
  tx: Db,
  id: string,
  verdict: { status: 'Accepted' | 'Reject'; result: string; decidedAt: Date; decidedBy: string },
): Promise<LicenseRow | null> {
  const [row] = await tx
    .update(licences)
    .set(verdict)
    .where(and(eq(licences.id, id), eq(licences.status, 'Reviewing')))
    .returning();
  return row ?? null;
}

/** The pictures of the photos that the same person had sent before these. */
export async function olderPhotos(tx: Db, { id, userId, createdAt }: LicenseRow): Promise<string[]> {
  const rows = await tx
    .select()
    .from(licences)
    .where(and(eq(licences.userId, userId), ne(licences.id, id), lte(licences.createdAt, createdAt)));
  return rows.flatMap(({ frontId, backId }) => [frontId, backId]).filter((each) => each !== null);
}

export const waiting = (db: Db): Promise<LicenseRow[]> =>
  db
    .select()
    .from(licences)
    .where(eq(licences.status, 'Reviewing'))
    .orderBy(asc(licences.createdAt), asc(licences.id))
    .limit(mostWaiting);

export const countWaiting = (db: Db): Promise<number> =>
  db.$count(licences, eq(licences.status, 'Reviewing'));

/** The latest decided licenses of each of these people, the newest first. */
export async function decidedOf(db: Db, userIds: readonly string[]): Promise<LicenseRow[]> {
  if (userIds.length === 0) return [];
  const latest = sql`select latest.id from unnest(${sql.param([...userIds])}::uuid[]) as person (id)
    cross join lateral (
      select l.id from ${licences} l where l.user_id = person.id and l.status <> 'Reviewing'
      order by l.created_at desc, l.id limit ${mostEarlier}
    ) latest`;
  return db
    .select()
    .from(licences)
    .where(sql`${licences.id} = any(array(${latest}))`)
    .orderBy(desc(licences.createdAt));
}

export const erasure = {
  licences: async (tx, personId) => {
    await tx.delete(licences).where(eq(licences.userId, personId));
    await tx.update(licences).set({ decidedBy: null }).where(eq(licences.decidedBy, personId));
  },
} satisfies Erasure;
