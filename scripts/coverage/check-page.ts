import { readPage, type Named } from './page.ts';
import { hasTest, readTestTitles, type TestTitles } from './test-titles.ts';

/** The project as the page's names are looked up in it. */
export interface Project {
  /** The source of a file, or '' for a folder; null where there is none. */
  read: (path: string) => string | null;
  /** `POST /car/create` and its like: every call of the contract. */
  calls: ReadonlySet<string>;
  /** Every route of the web app. */
  routes: ReadonlySet<string>;
  /** Calls and routes that the page must not leave out. */
  mustName: readonly string[];
}

const columns = 4;

/**
 * Everything that is wrong with the page, each with its line. Every row says all it has to, and everything
 * named is there.
 */
export function checkPage(markdown: string, project: Project): string[] {
  const { rows, named } = readPage(markdown);
  const problems: [line: number, what: string][] = [];
  const read = new Map<string, TestTitles | null>();
  const titlesIn = (file: string): TestTitles | null => {
    if (!read.has(file)) {
      const source = project.read(file);
      read.set(file, source === null ? null : readTestTitles(file, source));
    }
    return read.get(file)!;
  };
  const trouble = (what: Named): string | null => {
    switch (what.kind) {
      case 'file':
        return project.read(what.path) === null ? `there is no file ${what.path}` : null;
      case 'call':
        return project.calls.has(what.name) ? null : `the contract has no call ${what.name}`;
      case 'route':
        return project.routes.has(what.path) ? null : `the web app has no route ${what.path}`;
      case 'test': {
        const titles = titlesIn(what.file);
        if (titles === null) return `there is no test file ${what.file}`;
        return hasTest(titles, what.titles) ? null : `${what.file} has no test “${what.titles.join(' › ')}”`;
      }
    }
  };

  for (const { line, cells } of rows) {
    if (cells.length !== columns)
      problems.push([line, `a row has ${cells.length} cells instead of ${columns}`]);
    else if (cells.includes('')) problems.push([line, 'a cell is empty']);
    else if (!readPage(cells.at(-1)!).named.some(({ what }) => what.kind === 'test'))
      problems.push([line, 'the row names no test']);
  }
  for (const { line, what } of named) {
    const found = trouble(what);
    if (found !== null) problems.push([line, found]);
  }
  const told = problems
    .toSorted(([one], [other]) => one - other)
    .map(([line, what]) => `line ${line}: ${what}`);
  const rowLines = new Set(rows.map(({ line }) => line));
  const inRows = new Set(
    named.flatMap(({ line, what }) =>
      !rowLines.has(line)
        ? []
        : what.kind === 'call'
          ? [what.name]
          : what.kind === 'route'
            ? [what.path]
            : [],
    ),
  );
  for (const name of project.mustName) {
    if (!inRows.has(name)) told.push(`no row names ${name}`);
  }
  if (rows.length === 0) told.push('no row was read');
  return told;
}
