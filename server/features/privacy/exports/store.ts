import { and, eq, isNotNull, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { dataExports } from '../../../schema/exports.ts';

export type ExportRow = typeof dataExports.$inferSelect;

/** How many are begun, or cleared away, in one round. */
const batch = 20;

/** The export that a person has; null if there is none. */
export const exportOf = (db: Db, userId: string): Promise<ExportRow | null> =>
  firstRow(db.select().from(dataExports).where(eq(dataExports.userId, userId)));

/** A person has one: what it replaces, unless it is still being made, is left to be cleared away. */
export async function askExport(tx: Db, asked: { id: string; userId: string; at: Date }): Promise<void> {
  const { id, userId, at } = asked;
  await tx
    .update(dataExports)
    .set({ userId: null })
    .where(and(eq(dataExports.userId, userId), ne(dataExports.state, 'preparing')));
  await tx
    .insert(dataExports)
    .values({ id, userId, askedAt: at, nextAt: at })
    .onConflictDoNothing({ target: dataExports.userId });
}

const isPreparing = eq(dataExports.state, 'preparing');

const isDue = (now: Date) => and(isPreparing, isNotNull(dataExports.userId), lte(dataExports.nextAt, now));

export const isAnyExportDue = (now: Date): SQL =>
  sql`exists (select from ${dataExports} where ${isDue(now)})`;

export async function dueExports(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(isDue(now))
    .orderBy(dataExports.nextAt)
    .limit(batch);
  return rows.map(({ id }) => id);
}

/** One attempt to make an export. While it lasts, no other process begins the next. */
export interface Attempt {
  id: string;
  userId: string;
  askedAt: Date;
  attempt: number;
}

/** Begins the next attempt; null where another process was faster, or the account is gone. */
export async function beginAttempt(
  db: Db,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<Attempt | null> {
  const [row] = await db
    .update(dataExports)
    .set({ attempts: sql`${dataExports.attempts} + 1`, nextAt: until })
    .where(
      and(eq(dataExports.id, id), isPreparing, isNotNull(dataExports.userId), lte(dataExports.nextAt, now)),
    )
    .returning();
  if (row === undefined || row.userId === null) return null;
  return { id, userId: row.userId, askedAt: row.askedAt, attempt: row.attempts };
}

const isStill = ({ id, userId, attempt }: Attempt): SQL | undefined =>
  and(eq(dataExports.id, id), eq(dataExports.userId, userId), eq(dataExports.attempts, attempt), isPreparing);

/**
 * Continues an attempt that is about to have `parts` parts.
 * @returns false where it is no longer the latest one, or the account is gone
 */
export const goOn = (
  db: Db,
  attempt: Attempt,
  { parts, until }: { parts: number; until: Date },
): Promise<boolean> =>
  changesAny(
    db
      .update(dataExports)
      .set({ parts: sql`greatest(${dataExports.parts}, ${parts}::integer)`, nextAt: until })
      .where(isStill(attempt)),
  );

/** Ends an attempt with an archive; whether it was still the latest one. */
export const makeReady = (
  tx: Db,
  attempt: Attempt,
  made: { bytes: number; readyAt: Date },
): Promise<boolean> =>
  changesAny(
    tx
      .update(dataExports)
      .set({ ...made, state: 'ready', nextAt: null })
      .where(isStill(attempt)),
  );

/** Ends an attempt that failed: another follows, or, with null, none. */
export const endFailed = (tx: Db, attempt: Attempt, nextAt: Date | null): Promise<boolean> =>
  changesAny(
    tx
      .update(dataExports)
      .set(nextAt === null ? { state: 'failed', nextAt } : { nextAt })
      .where(isStill(attempt)),
  );

/** Exports that are too old, replaced, or of an account that is gone, and that no process is making. */
export const oldExports = (db: Db, now: Date, askedBefore: Date): Promise<ExportRow[]> =>
  db
    .select()
    .from(dataExports)
    .where(
      and(
        or(isNull(dataExports.userId), lte(dataExports.askedAt, askedBefore)),
        or(isNull(dataExports.nextAt), lte(dataExports.nextAt, now)),
      ),
    )
    .limit(batch);

export async function deleteExport(db: Db, id: string): Promise<void> {
  await db.delete(dataExports).where(eq(dataExports.id, id));
}

/** The row stays without the person until the files are removed. */
export const erasure = {
  data_exports: (tx, personId) =>
    tx.update(dataExports).set({ userId: null }).where(eq(dataExports.userId, personId)),
} satisfies Erasure;
