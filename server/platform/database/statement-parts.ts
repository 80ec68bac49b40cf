import { fillPlaceholders, sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { QueryConfig } from 'pg';
import { statementName } from './prepared-statements.ts';

/** One named query of a statement; later ones may read it by its name. */
export interface StatementPart {
  name: string;
  /** With `sql.placeholder` for its values where it is always the same query: its text is made once then. */
  query: SQL;
  /** By the names of its placeholders, which no other part has for other values. */
  values?: Readonly<Record<string, unknown>>;
}

/** A statement of certain parts, without values. */
interface MadeStatement {
  queries: readonly SQL[];
  text: string;
  params: unknown[];
}

const dialect = new PgDialect();
/** By the names of the parts. */
const made = new Map<string, MadeStatement>();

/**
 * Joins parts to one statement, which is also one transaction. Names are unique among all of them. Parts that
 * write see the tables as they were before the statement, and of each other what they return.
 */
export function asOneStatement(parts: readonly StatementPart[]): QueryConfig {
  const names = parts.map(({ name }) => name).join(' ');
  const known = made.get(names);
  const isSame = known?.queries.every((query, place) => query === parts[place]!.query) === true;
  const { text, params } = isSame ? known : makeStatement(parts);
  if (!isSame) made.set(names, { queries: parts.map(({ query }) => query), text, params });
  const values: Record<string, unknown> = {};
  for (const part of parts) Object.assign(values, part.values);
  return { name: statementName(text), text, values: fillPlaceholders(params, values) };
}

function makeStatement(parts: readonly StatementPart[]): Pick<MadeStatement, 'text' | 'params'> {
  const named = parts.map(({ name, query }) => sql`${sql.identifier(name)} as (${query})`);
  const { sql: text, params } = dialect.sqlToQuery(sql`with ${sql.join(named, sql`, `)} select 1 as done`);
  return { text, params };
}
