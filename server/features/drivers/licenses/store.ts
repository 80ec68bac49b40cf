import { and, asc, desc, eq, lte, ne, sql } from 'drizzle-orm';
import { mostEarlier } from '#contract/licenses/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { licenses } from '../../../schema/vehicles.ts';
import { holdPerson } from '../../identity/queries.ts';

export type LicenseRow = typeof licenses.$inferSelect;

/** The same for all installations: more than an admin reviews in one session. */
const mostWaiting = 200;

export const latestLicense = (db: Db, userId: string): Promise<LicenseRow | null> =>
  firstRow(
    db.select().from(licenses).where(eq(licenses.userId, userId)).orderBy(desc(licenses.createdAt)).limit(1),
  );

export const findLicense = (db: Db, id: string): Promise<LicenseRow | null> =>
  firstRow(db.select().from(licenses).where(eq(licenses.id, id)));

/** Withdraws a person's waiting photos, because they send new ones. @returns the ids of the pictures. */
export async function takeBackWaiting(tx: Db, userId: string): Promise<string[]> {
  // Otherwise two sent at once would each withdraw only earlier ones, and both would wait.
  await holdPerson(tx, userId);
  const rows = await tx
    .delete(licenses)
    .where(and(eq(licenses.userId, userId), eq(licenses.status, 'Reviewing')))
    .returning();
  return rows.flatMap(({ frontId, backId }) => [frontId, backId]).filter((id) => id !== null);
}

export async function insertLicense(tx: Db, row: typeof licenses.$inferInsert): Promise<void> {
  await tx.insert(licenses).values(row);
}

/** Decides about photos that still wait; null when another admin has decided, or they were withdrawn. */
export const decide = (
  tx: Db,
  id: string,
  verdict: { status: 'Accepted' | 'Reject'; result: string; decidedAt: Date; decidedBy: string },
): Promise<LicenseRow | null> =>
  firstRow(
    tx
      .update(licenses)
      .set(verdict)
      .where(and(eq(licenses.id, id), eq(licenses.status, 'Reviewing')))
      .returning(),
  );

/** The pictures of the photos that the same person had sent before these. */
export async function olderPhotos(tx: Db, { id, userId, createdAt }: LicenseRow): Promise<string[]> {
  const rows = await tx
    .select()
    .from(licenses)
    .where(and(eq(licenses.userId, userId), ne(licenses.id, id), lte(licenses.createdAt, createdAt)));
  return rows.flatMap(({ frontId, backId }) => [frontId, backId]).filter((each) => each !== null);
}

export const waiting = (db: Db): Promise<LicenseRow[]> =>
  db
    .select()
    .from(licenses)
    .where(eq(licenses.status, 'Reviewing'))
    .orderBy(asc(licenses.createdAt), asc(licenses.id))
    .limit(mostWaiting);

export const countWaiting = (db: Db): Promise<number> =>
  db.$count(licenses, eq(licenses.status, 'Reviewing'));

/** The latest decided licenses of each of these people, the newest first. */
export async function decidedOf(db: Db, userIds: readonly string[]): Promise<LicenseRow[]> {
  if (userIds.length === 0) return [];
  const latest = sql`select latest.id from unnest(${sql.param([...userIds])}::uuid[]) as person (id)
    cross join lateral (
      select l.id from ${licenses} l where l.user_id = person.id and l.status <> 'Reviewing'
      order by l.created_at desc, l.id limit ${mostEarlier}
    ) latest`;
  return db
    .select()
    .from(licenses)
    .where(sql`${licenses.id} = any(array(${latest}))`)
    .orderBy(desc(licenses.createdAt));
}

export const erasure = {
  licenses: async (tx, personId) => {
    await tx.delete(licenses).where(eq(licenses.userId, personId));
    await tx.update(licenses).set({ decidedBy: null }).where(eq(licenses.decidedBy, personId));
  },
} satisfies Erasure;
