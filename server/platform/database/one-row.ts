/** The first row that a query finds; null for none. */
export const firstRow = async <T>(query: PromiseLike<readonly T[]>): Promise<T | null> =>
  (await query)[0] ?? null;

/** True if a statement has changed a row. */
export const changesAny = async (statement: PromiseLike<{ rowCount: number | null }>): Promise<boolean> =>
  (await statement).rowCount !== 0;
