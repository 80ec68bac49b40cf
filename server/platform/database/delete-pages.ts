import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

const pageSize = 1000;

/**
 * Deletes rows in pages, each a statement of its own: what reads or writes the table meanwhile waits for one
 * page at most. Rows that others have locked stay for the next time.
 * @param table whose rows `deletePage` deletes.
 * @param which the condition, and the order of an index that serves it, as SQL after the table's name.
 * @param deletePage deletes the rows that meet a condition.
 */
export async function inPages(
  table: PgTable,
  which: SQL,
  deletePage: (page: SQL) => PromiseLike<{ rowCount: number | null }>,
): Promise<void> {
  const page = sql`ctid = any(array(
    select ctid from ${table} ${which} limit ${pageSize} for update skip locked))`;
  for (let deleted = pageSize; deleted === pageSize;) deleted = (await deletePage(page)).rowCount ?? 0;
}
