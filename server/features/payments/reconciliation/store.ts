import { and, asc, desc, eq, gt, gte, isNotNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { authorizations, reconciliations, type StoredDifference } from '../../../schema/payments.ts';
import type { AuthorizationRow, ProviderKind } from '../authorizations/store.ts';

export type { StoredDifference } from '../../../schema/payments.ts';

/**
 * Which authorizations are compared: those changed since `since`; with null those that changed since they
 * were compared, and those that still hold money.
 */
export interface ToCompare {
  since: Date | null;
  /** Authorizations that are still placed are compared again after this. */
  comparedBefore: Date;
  /** The page begins behind this authorization. */
  afterId: string | null;
}

const pageSize = 500;

/** A page of authorizations that may differ from the provider's, in the order of their ids. */
export async function authorizationsToCompare(
  db: Db,
  provider: ProviderKind,
  { since, comparedBefore, afterId }: ToCompare,
): Promise<AuthorizationRow[]> {
  const moved = sql`${authorizations.comparedVersion} is distinct from ${authorizations.factsVersion}`;
  // Written as the index `authorizations_to_compare` says it.
  const stands = and(
    sql`${authorizations.authorizedCents} > 0`,
    lte(authorizations.comparedAt, comparedBefore),
  );
  const own = and(
    eq(authorizations.provider, provider),
    isNotNull(authorizations.paymentId),
    since === null
      ? or(moved, stands)
      : or(gte(authorizations.updatedAt, since), ne(authorizations.authorizedCents, 0)),
    afterId === null ? undefined : gt(authorizations.id, afterId),
  );
  return db.select().from(authorizations).where(own).orderBy(asc(authorizations.id)).limit(pageSize);
}

/** Notes that authorizations were compared as they were then. */
export async function noteCompared(
  db: Db,
  rows: readonly Pick<AuthorizationRow, 'id' | 'factsVersion'>[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update authorizations set compared_version = seen.version, compared_at = ${at.toISOString()}
    from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map((row) => row.factsVersion))}::int[]) as seen(id, version)
    where authorizations.id = seen.id`);
}

export async function saveReconciliation(
  db: Db,
  row: { at: Date; checked: number; differences: StoredDifference[] },
): Promise<void> {
  await db.insert(reconciliations).values(row);
}

export async function latestReconciliation(db: Db) {
  const rows = await db.select().from(reconciliations).orderBy(desc(reconciliations.id)).limit(1);
  return rows[0] ?? null;
}
