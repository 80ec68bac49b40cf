import type { Subquery } from 'drizzle-orm';

/** The columns of a subquery by the names under which it selects them. */
type ColumnsOf<T extends Subquery> = Pick<T, Extract<keyof T['_']['selectedFields'], keyof T>>;

/**
 * All that a subquery selects, to be selected as a whole by the statement that joins it: what a feature reads
 * of another one's rows comes as a subquery (`openRides`), not as a table.
 */
export const columnsOf = <T extends Subquery>(subquery: T): ColumnsOf<T> =>
  Object.fromEntries(
    Object.keys(subquery._.selectedFields).map((name) => [name, subquery[name as keyof T]]),
  ) as ColumnsOf<T>;
