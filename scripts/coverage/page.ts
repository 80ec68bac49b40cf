/** Reads a page of the coverage, line by line, before anything of it is looked up. */

/** Something the page names, in the kinds that can be looked up. */
export type Named =
  | { kind: 'test'; file: string; titles: readonly string[] }
  | { kind: 'call'; name: string }
  | { kind: 'route'; path: string }
  | { kind: 'file'; path: string };

/** One row of a table: one sentence of the specification. */
export interface Row {
  line: number;
  cells: readonly string[];
}

export interface Page {
  /** Rows of all tables, without their heads. */
  rows: readonly Row[];
  /** Everything named anywhere, in tables and in text. */
  named: readonly { line: number; written: string; what: Named }[];
}

/** Between a test's file and its title, and between the title of a group and that of a test in it. */
const into = ' › ';

/** The test, call, route or file that a text in backticks names; null for a mere word. */
export function namedBy(written: string): Named | null {
  if (written.includes(into)) {
    const [file, ...titles] = written.split(into);
    return { kind: 'test', file: file!, titles };
  }
  if (/^(GET|POST) \//.test(written)) return { kind: 'call', name: written };
  if (written.startsWith('/')) return { kind: 'route', path: written.replace(/[?#].*$/, '') };
  if (/\s/.test(written)) return null;
  const isFile = written.includes('/') || /\.(md|json|ts|tsx|mjs|html|css)$/.test(written);
  return isFile ? { kind: 'file', path: written } : null;
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Reads a page of Markdown. */
export function readPage(markdown: string): Page {
  const rows: Row[] = [];
  const named: { line: number; written: string; what: Named }[] = [];
  let rowsSeen = 0;
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    const isTable = text.trimStart().startsWith('|');
    rowsSeen = isTable ? rowsSeen + 1 : 0;
    // The first two lines of a table are its head and the rule below it.
    if (rowsSeen > 2) rows.push({ line, cells: cellsOf(text) });
    for (const [, written] of text.matchAll(/`([^`]+)`/g)) {
      const what = namedBy(written!.replaceAll(String.raw`\|`, '|'));
      if (what !== null) named.push({ line, written: written!, what });
    }
  }
  return { rows, named };
}
