import { sql, type SQL } from 'drizzle-orm';

/** One named query of a statement; later ones may read it by its name. */
export interface StatementPart {
  name: string;
  query: SQL;
}

/**
 * Joins parts to one statement, which is also one transaction. Names are unique among all of them. Parts that
 * write see the tables as they were before the statement, and of each other what they return.
 */
export function asOneStatement(parts: readonly StatementPart[]): SQL {
  const named = parts.map(({ name, query }) => sql`${sql.identifier(name)} as (${query})`);
  return sql`with ${sql.join(named, sql`, `)} select 1 as done`;
}
