import { parseSync, Visitor, type ESTree } from 'vite';

/** A title as the source writes it. */
export interface Title {
  text: string;
  /** Texts and numbers of the tables that fill in what the title leaves open. */
  fills: ReadonlySet<string>;
}

/** Each test, group and step of a file with the titles around it, outermost first. */
export type TestTitles = readonly (readonly Title[])[];

/** A stretch of the source. */
interface Span {
  start: number;
  end: number;
}

const testing = new Set(['test', 'it', 'describe']);
const notRun = new Set(['skip', 'todo', 'fixme', 'fails', 'fail']);

/**
 * Reads the titles of a test file. Tests that are not run do not count.
 * @throws Error when it cannot be parsed
 */
export function readTestTitles(file: string, source: string): TestTitles {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const chains: { text: string; tables: Span[] }[][] = [];
  const around: { text: string; tables: Span[] }[] = [];
  const loops: Span[] = [];
  let leftOut = 0;
  new Visitor({
    ForOfStatement: (node) => void loops.push(node.right),
    'ForOfStatement:exit': () => void loops.pop(),
    CallExpression: (node) => {
      const found = titleOf(node, source);
      if (found === null) return;
      if (!found.runs) leftOut += 1;
      // A title may also name what a loop or a table around it goes through.
      const tables = [...found.tables, ...loops, ...(around.at(-1)?.tables ?? [])];
      around.push({ text: found.title, tables });
      if (leftOut === 0) chains.push([...around]);
    },
    'CallExpression:exit': (node) => {
      const found = titleOf(node, source);
      if (found === null) return;
      around.pop();
      if (!found.runs) leftOut -= 1;
    },
  }).visit(program);
  const fillsOf = readFills(program);
  return chains.map((chain) => chain.map(({ text, tables }) => ({ text, fills: fillsOf(tables) })));
}

/** Finds the texts and numbers of a table, also of the constants in the same file that it is made of. */
function readFills(program: ESTree.Program): (tables: readonly Span[]) => ReadonlySet<string> {
  const literals: (Span & { value: string })[] = [];
  const names: (Span & { name: string })[] = [];
  const constants = new Map<string, Span>();
  new Visitor({
    Literal: ({ start, end, value }) => {
      if (typeof value === 'string' || typeof value === 'number')
        literals.push({ start, end, value: String(value) });
    },
    Identifier: ({ start, end, name }) => void names.push({ start, end, name }),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init);
    },
  }).visit(program);
  const inside = (outer: Span) => (inner: Span) => inner.start >= outer.start && inner.end <= outer.end;
  return (tables) => {
    const spans = new Set(tables);
    // A set that grows while it is gone through: constants of constants come last.
    for (const span of spans)
      for (const { name } of names.filter(inside(span))) {
        const constant = constants.get(name);
        if (constant !== undefined) spans.add(constant);
      }
    return new Set([...spans].flatMap((span) => literals.filter(inside(span)).map(({ value }) => value)));
  };
}

/**
 * The title of a call such as `test('…', …)`, `test.each(…)('…', …)` or `test.step('…', …)`; null for any
 * other.
 */
function titleOf(
  node: ESTree.CallExpression,
  source: string,
): { title: string; runs: boolean; tables: Span[] } | null {
  let runs = true;
  const tables: Span[] = [];
  let callee: ESTree.Expression = node.callee;
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    if (callee.type === 'CallExpression') {
      // The table of `test.each(…)`.
      tables.push(...callee.arguments);
      callee = callee.callee;
    } else {
      if (callee.property.type === 'Identifier' && notRun.has(callee.property.name)) runs = false;
      callee = callee.object;
    }
  }
  if (callee.type !== 'Identifier' || !testing.has(callee.name)) return null;
  const [first] = node.arguments;
  if (first?.type === 'Literal' && typeof first.value === 'string')
    return { title: first.value, runs, tables };
  if (first?.type === 'TemplateLiteral')
    return { title: source.slice(first.start + 1, first.end - 1), runs, tables };
  return null;
}

/** The open parts of a title: `%s` and its like, `$name`, `${…}`. */
const open = /%[sdifjo]|\$\{[^}]*\}|\$\w+/;

/**
 * Whether a file has a test of these titles: the last is its own, the others are groups around it. What a
 * title leaves open may be filled in, with a text of the table or loop that fills it in.
 */
export function hasTest(chains: TestTitles, titles: readonly string[]): boolean {
  const fits = ({ text, fills }: Title, named: string): boolean => {
    if (text === named) return true;
    const pieces = text.split(open);
    if (pieces.length === 1) return false;
    const pattern = pieces
      .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('(.+)');
    const [whole, ...filled] = new RegExp(`^${pattern}$`, 'su').exec(named) ?? [];
    return whole !== undefined && filled.every((each) => fills.has(each));
  };
  return chains.some((chain) => {
    let at = chain.length - 1;
    if (!fits(chain[at]!, titles.at(-1)!)) return false;
    for (const outer of titles.slice(0, -1).toReversed()) {
      do at -= 1;
      while (at >= 0 && !fits(chain[at]!, outer));
      if (at < 0) return false;
    }
    return true;
  });
}
