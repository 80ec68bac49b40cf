import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** A list is counted so far beyond the page that is read of it. */
const beyondPage = 1000;

/** How many rows of a list are counted for a page: more pages are offered, those far away are not. */
export const countedFor = ({ offset, size }: { offset: number; size: number }): number =>
  offset + size + beyondPage;

/**
 * The number of rows that meet a condition, or `most` where there are more: what it costs does not grow with
 * the table. An index on the condition's columns, or on those of the order, keeps it from reading rows.
 */
export async function countUpTo(
  db: Db,
  table: PgTable,
  { where, by, most }: { where?: SQL | undefined; by?: SQL; most: number },
): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from ${table} where ${where ?? sql`true`} ${by === undefined ? sql`` : sql`order by ${by}`} limit ${most}
    ) found`);
  return rows[0]?.count ?? 0;
}

/** A page of a table's rows in an order, and how many there are (`countedFor` the page). */
export async function pageOfRows<T extends PgTable>(
  db: Db,
  table: T,
  { where, order }: { where: SQL | undefined; order: readonly [SQL, ...SQL[]] },
  page: { offset: number; size: number },
): Promise<{ rows: T['$inferSelect'][]; total: number }> {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(table as PgTable)
      .where(where)
      .orderBy(...order)
      .offset(page.offset)
      .limit(page.size),
    countUpTo(db, table, { where, by: order[0], most: countedFor(page) }),
  ]);
  return { rows, total };
}
