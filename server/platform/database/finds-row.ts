import { sql, type SQL } from 'drizzle-orm';

/**
 * True where a subquery that begins with `from` and depends on the row at hand finds a row. It is looked up
 * by its index each time; `exists` within `or` or among the columns may be planned as a hash of the whole
 * table.
 */
export const findsRow = (from: SQL): SQL => sql`coalesce((select true ${from} limit 1), false)`;
