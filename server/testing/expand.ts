/**
 * Statements that break a process of the former release: it reads and writes the columns that it knows, calls
 * the functions that it knows, and sets no column that it does not know.
 */
const breaking: readonly (readonly [words: string, pattern: RegExp])[] = [
  ['drops a table or a column', /\bdrop\s+(table|column|view)\b/i],
  ['renames', /\brename\s+(to|column)\b/i],
  ['asks for a value', /\balter\s+(column\s+)?"?\w+"?\s+set\s+not\s+null\b/i],
  ['changes a type', /\balter\s+(column\s+)?"?\w+"?\s+(set\s+data\s+)?type\b/i],
  ['takes a default away', /\balter\s+(column\s+)?"?\w+"?\s+drop\s+default\b/i],
  ['drops a function', /\bdrop\s+(function|procedure|trigger)\b/i],
];
const addedColumn = /\badd\s+column\b[^;]*/gi;
const functionBody = /(\bcreate\s+(?:or\s+replace\s+)?function\b[^$]*)\$\$[\s\S]*?\$\$/gi;
const madeFunction = /\bcreate\s+(?:or\s+replace\s+)?function\s+"?(\w+)"?\s*\(([^)]*)\)/gi;

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

/**
 * Why a migration would break running processes of the former release (expand first; contract in a later
 * release); empty if it would not.
 * @param parameters of the functions that the former release calls, by name
 */
export function breaksFormerRelease(sql: string, parameters: ReadonlyMap<string, string>): string[] {
  // A function's body runs when it is called, not during the migration.
  const code = sql.replaceAll(/--.*$/gm, '').replaceAll(functionBody, '$1');
  const found = breaking.flatMap(([words, pattern]) => (pattern.test(code) ? [words] : []));
  for (const [column] of code.matchAll(addedColumn))
    if (/\bnot\s+null\b/i.test(column) && !/\bdefault\b|\bgenerated\b/i.test(column))
      found.push('adds a column that each row must give');
  for (const [, name = '', given = ''] of code.matchAll(madeFunction)) {
    const before = parameters.get(name);
    if (before !== undefined && plain(before) !== plain(given)) found.push(`changes what ${name}() takes`);
  }
  return found;
}

/** The parameters of the functions that migrations create, by name; the last definition counts. */
export function parametersOfFunctions(migrations: readonly string[]): Map<string, string> {
  const made = migrations.flatMap((sql) => [...sql.matchAll(madeFunction)]);
  return new Map(made.map(([, name = '', given = '']) => [name, given]));
}
