import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { words } from '#locales/en.ts';

/** What a module of the web app draws with: the modules it loads with itself, and the words it names. */
interface Part {
  imports: string[];
  words: ReadonlySet<string>;
  /** Components that come later, with the words that are loaded beside them. */
  lazyParts: { file: string; words: string[] }[];
}

const root = path.resolve(import.meta.dirname, '..', '..');
const namespaces: ReadonlySet<string> = new Set(Object.keys(words));
/** These load by themselves what they say. */
const loadsItsOwn = new Set(['web/core/errors.ts', 'web/core/realtime.ts', 'web/core/i18n.ts']);
/** The pages are not a part of the router: each has words of its own. */
const router = 'web/app/router.tsx';

const parts = new Map<string, Part>();

function partOf(file: string): Part {
  let part = parts.get(file);
  if (part === undefined) {
    part = readPart(file, fs.readFileSync(path.join(root, file), 'utf8'));
    parts.set(file, part);
  }
  return part;
}

export function readPart(file: string, source: string): Part {
  const part: Part = {
    imports: [],
    words: loadsItsOwn.has(file) ? new Set() : wordsIn(source),
    lazyParts: [],
  };
  const inLazyParts = new Set<number>();
  const follow = (specifier: string) => {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    if (specifier.startsWith('.') && /\.tsx?$/.test(target)) part.imports.push(target);
  };
  new Visitor({
    ImportDeclaration: ({ importKind, source: { value } }) => {
      if (importKind !== 'type') follow(value);
    },
    CallExpression: ({ callee, start, end }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'lazyPart') return;
      const text = source.slice(start, end);
      const [, target = ''] = /import\('([^']+)'\)/.exec(text) ?? [];
      const [, list = ''] = /\[([^\]]*)\],?\s*\)$/.exec(text) ?? [];
      inLazyParts.add(source.indexOf('import(', start));
      part.lazyParts.push({
        file: path.posix.join(path.posix.dirname(file), target),
        words: [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
      });
    },
    ImportExpression: ({ start, source: from }) => {
      if (file !== router && !inLazyParts.has(start) && 'value' in from) follow(String(from.value));
    },
  }).visit(parseSync(file, source).program);
  return part;
}

/** The namespaces that a source names: for its hook, in its keys, and for what a field refuses. */
function wordsIn(source: string): Set<string> {
  const named = new Set<string>();
  for (const [, list] of source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'\w+')?/g))
    for (const [, name = ''] of (list ?? "'common'").matchAll(/'(\w+)'/g)) named.add(name);
  for (const [, name = ''] of source.matchAll(/['"`](\w+):[a-zA-Z$]/g))
    if (namespaces.has(name)) named.add(name);
  if (/\bfieldWords\b/.test(source)) for (const name of ['reasons', 'sentences']) named.add(name);
  return named;
}

/** All modules that come with a file. */
function modulesWith(file: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...partOf(next).imports);
  }
  return seen;
}

/** The words that a file and all that comes with it are drawn with. */
export const wordsWith = (file: string): Set<string> =>
  new Set([...modulesWith(file)].flatMap((each) => [...partOf(each).words]));

/** The components of a page, or of the shell, that come later. */
export const lazyPartsWith = (file: string): Part['lazyParts'] =>
  [...modulesWith(file)].flatMap((each) => partOf(each).lazyParts);

/** Each page's file by its address, as the router has it. */
export function filesOfPages(): Map<string, string> {
  const source = fs.readFileSync(path.join(root, router), 'utf8');
  const found = source.matchAll(/\bpage\(\s*'([^']+)'[^]*?import\('\.\.\/([^']+)'\)/g);
  return new Map([...found].map(([, address = '', file = '']) => [address, `web/${file}`]));
}
