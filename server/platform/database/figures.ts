import { sql, type SQL } from 'drizzle-orm';

/** A piece of time that figures are counted in: from an instant until before another. */
export interface FigureSlot {
  from: Date;
  until: Date;
}

/** Whether an instant lies in the slot. */
export const isWithin = (at: SQL, { from, until }: FigureSlot): SQL =>
  sql`${at} >= ${from.toISOString()}::timestamptz and ${at} < ${until.toISOString()}::timestamptz`;

/**
 * A statement that tells one figure of a slot, as rows of name, bucket and value. Owners of tables make them;
 * several are read at once, joined by `union all`.
 * @param of.at when each thing happened: an index must lead to those of the slot.
 * @param of.from the tables, with a condition (`licenses where true`).
 */
export const figure = (
  slot: FigureSlot,
  { name, value, at, from, bucket = sql`0` }: { name: string; value: SQL; at: SQL; from: SQL; bucket?: SQL },
): SQL =>
  sql`select ${name}::text as name, ${bucket} as bucket, (${value})::bigint as value
    from ${from} and ${isWithin(at, slot)} group by 2`;
