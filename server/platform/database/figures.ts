import { sql, type SQL } from 'drizzle-orm';

/** The periods of a statistic: days, weeks or months of a zone, from a day on. */
export interface FigureSpan {
  by: 'day' | 'week' | 'month';
  /** The first day, as YYYY-MM-DD. */
  from: string;
  timeZone: string;
}

/**
 * A statement that tells one figure of each period in which something happened, as rows of period, name and
 * value. Owners of tables make them; several are read at once, joined by `union all`.
 * @param of.at when each thing happened. @param of.from the tables, with a condition (`bookings where true`).
 */
export const figure = (
  { by, from, timeZone }: FigureSpan,
  of: { name: string; value: SQL; at: SQL; from: SQL },
): SQL =>
  sql`select date_trunc(${by}, ${of.at} at time zone ${timeZone}) as period, ${of.name}::text as name, (${of.value})::float8 as value
    from ${of.from} and ${of.at} >= (${from}::timestamp at time zone ${timeZone}) group by 1`;
