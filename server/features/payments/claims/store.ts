import { and, asc, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm';
import { countedFor, countUpTo } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { authorizations, claims } from '../../../schema/payments.ts';
import type { AuthorizationRow } from '../authorizations/store.ts';

export type ClaimRow = typeof claims.$inferSelect;

/** Maximum claims processed in one round of the clock; the rest follows in the next. */
const mostAtOnce = 40;

export async function insertClaim(tx: Db, row: typeof claims.$inferInsert): Promise<ClaimRow> {
  return (await tx.insert(claims).values(row).returning())[0]!;
}

export async function claimById(db: Db, id: string): Promise<ClaimRow | null> {
  return (await db.select().from(claims).where(eq(claims.id, id)))[0] ?? null;
}

/** The claims about some bookings, the oldest first. */
export async function claimsOf(db: Db, bookingIds: readonly string[]): Promise<ClaimRow[]> {
  if (bookingIds.length === 0) return [];
  return db
    .select()
    .from(claims)
    .where(inArray(claims.bookingId, [...bookingIds]))
    .orderBy(asc(claims.openedAt));
}

/** Moves a claim on if its state is one of `from`; null when it has moved on. */
export async function moveClaim(
  tx: Db,
  id: string,
  from: readonly ClaimRow['state'][],
  set: Partial<ClaimRow>,
): Promise<ClaimRow | null> {
  const standing = and(eq(claims.id, id), inArray(claims.state, [...from]));
  return (await tx.update(claims).set(set).where(standing).returning())[0] ?? null;
}

const isUndecided = (now: Date) =>
  and(
    inArray(authorizations.kind, ['partWay', 'contested']),
    sql`${authorizations.isCurrent}`,
    eq(authorizations.goal, 'capture'),
    lte(authorizations.captureAt, now),
    sql`${claims.state} in ('open', 'answered')`,
    // A claim about what had been captured before waits for an admin like any other.
    or(eq(authorizations.capturedCents, 0), gte(authorizations.capturedAt, claims.openedAt)),
  );

export const isAnyUndecided = (now: Date): SQL => sql`exists (select from ${claims}
  join ${authorizations} on ${authorizations.bookingId} = ${claims.bookingId} where ${isUndecided(now)})`;

/**
 * Payments for a part of the way, or of which two people say different things, once there is no more time to
 * decide.
 */
export async function undecidedFares(db: Db, now: Date): Promise<{ id: string; bookingId: string }[]> {
  return db
    .select({ id: authorizations.id, bookingId: authorizations.bookingId })
    .from(claims)
    .innerJoin(authorizations, eq(authorizations.bookingId, claims.bookingId))
    .where(isUndecided(now))
    .limit(mostAtOnce);
}

interface Page {
  offset: number;
  size: number;
}

/** A page of claims with their payments, the unresolved ones first, then the oldest. */
export async function listClaims(
  db: Db,
  { state, offset, size }: Page & { state: ClaimRow['state'] | 'all' },
): Promise<{ rows: { claim: ClaimRow; authorization: AuthorizationRow }[]; total: number }> {
  const where = state === 'all' ? undefined : eq(claims.state, state);
  const rows = await db
    .select({ claim: claims, authorization: authorizations })
    .from(claims)
    .innerJoin(authorizations, eq(authorizations.id, claims.authorizationId))
    .where(where)
    .orderBy(sql`${claims.state} = 'resolved'`, asc(claims.openedAt))
    .offset(offset)
    .limit(size);
  const total = await countUpTo(db, claims, {
    where,
    by: sql`opened_at`,
    most: countedFor({ offset, size }),
  });
  return { rows, total };
}
