import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * True where a column is one of some ids. They are one parameter, so that the statement is the same however
 * many they are: its text and its plan are made once.
 */
export const isOneOf = (column: SQLWrapper, ids: readonly string[]): SQL =>
  sql`${column} = any(${sql.param([...ids])}::uuid[])`;
