import { parseSync, Visitor, type ESTree } from 'vite';

/** The tests of a file, as its source writes them. */
export interface TestTitles {
  /** Each test, group and step with the titles around it, outermost first. */
  chains: readonly (readonly string[])[];
  /** Texts and numbers in the file, which the rows of a table of tests are made of. */
  literals: ReadonlySet<string>;
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
  const chains: string[][] = [];
  const literals = new Set<string>();
  const around: string[] = [];
  let leftOut = 0;
  new Visitor({
    CallExpression: (node) => {
      const found = titleOf(node, source);
      if (found === null) return;
      if (!found.runs) leftOut += 1;
      around.push(found.title);
      if (leftOut === 0) chains.push([...around]);
    },
    'CallExpression:exit': (node) => {
      const found = titleOf(node, source);
      if (found === null) return;
      around.pop();
      if (!found.runs) leftOut -= 1;
    },
    Literal: (node) => {
      if (typeof node.value === 'string' || typeof node.value === 'number') literals.add(String(node.value));
    },
  }).visit(program);
  return { chains, literals };
}

/**
 * The title of a call such as `test('…', …)`, `test.each(…)('…', …)` or `test.step('…', …)`; null for any
 * other.
 */
function titleOf(node: ESTree.CallExpression, source: string): { title: string; runs: boolean } | null {
  let runs = true;
  let callee: ESTree.Expression = node.callee;
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    if (callee.type === 'CallExpression') callee = callee.callee;
    else {
      if (callee.property.type === 'Identifier' && notRun.has(callee.property.name)) runs = false;
      callee = callee.object;
    }
  }
  if (callee.type !== 'Identifier' || !testing.has(callee.name)) return null;
  const [first] = node.arguments;
  if (first?.type === 'Literal' && typeof first.value === 'string') return { title: first.value, runs };
  if (first?.type === 'TemplateLiteral') return { title: source.slice(first.start + 1, first.end - 1), runs };
  return null;
}

/** What a title leaves open: `%s` and its like, `$name`, `${…}`. */
const open = /%[sdifjo]|\$\{[^}]*\}|\$\w+/;

/**
 * Whether a file has a test of these titles: the last is its own, the others are groups around it. What a
 * title leaves open may be filled in, with a text that stands in the file.
 */
export function hasTest({ chains, literals }: TestTitles, titles: readonly string[]): boolean {
  const fits = (written: string, named: string): boolean => {
    if (written === named) return true;
    const pieces = written.split(open);
    if (pieces.length === 1) return false;
    const pattern = pieces
      .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('(.+)');
    const [whole, ...filled] = new RegExp(`^${pattern}$`, 'su').exec(named) ?? [];
    return whole !== undefined && filled.every((each) => literals.has(each));
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
