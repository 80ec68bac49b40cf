import { sql, type SQL } from 'drizzle-orm';

/**
 * Words that the code knows, as a list of constants for `in`: `('matching', 'full')`. As parameters they
 * would hide from the planner that a partial index serves. @throws Error for a word with a quote, which no
 * set of states has.
 */
export function sqlWords(words: readonly string[]): SQL {
  const odd = words.find((word) => !/^[a-z ]+$/i.test(word));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd)} is no word for SQL.`);
  return sql.raw(`(${words.map((word) => `'${word}'`).join(', ')})`);
}
