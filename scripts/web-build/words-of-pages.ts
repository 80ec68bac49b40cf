import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { words } from '#locales/en.ts';

/** A module's further parts: the modules it loads with itself, and the words it names. */
interface Part {
  imports: string[];
  /** Modules that it loads later, which are no components. */
  later: string[];
  words: ReadonlySet<string>;
  /** Components that come later, with the words that are loaded with them. */
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
    later: [],
    words: loadsItsOwn.has(file) ? new Set() : wordsIn(source),
    lazyParts: [],
  };
  const inLazyParts = new Set<number>();
  const follow = (specifier: string, list = part.imports) => {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    if (specifier.startsWith('.') && /\.tsx?$/.test(target)) list.push(target);
  };
  new Visitor({
    ImportDeclaration: ({ importKind, source: { value } }) => {
      if (importKind !== 'type') follow(value);
    },
    CallExpression: ({ callee, start, end }) => {
      if (callee.type !== 'Identifier' || !/^(lazy|later)Part$/.test(callee.name)) return;
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
      if (file !== router && !inLazyParts.has(start) && 'value' in from)
        follow(String(from.value), part.later);
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

/** All modules of the web app that come with a file; with `andLater` those that it loads later, too. */
export function modulesWith(file: string, andLater = false): Set<string> {
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...partOf(next).imports, ...(andLater ? partOf(next).later : []));
  }
  return seen;
}

/** Whether a module comes with schemas that check an input. */
export const checksInput = (file: string): boolean =>
  [...modulesWith(file)].some((each) =>
    /from '(zod|#contract\/form-inputs\.ts)'/.test(fs.readFileSync(path.join(root, each), 'utf8')),
  );

/** The icons that these modules draw, as their files are named: `MapPinOff` is `map-pin-off`. */
export function iconsOf(files: Iterable<string>): Set<string> {
  const icons = new Set<string>();
  for (const file of files) {
    const source = fs.readFileSync(path.join(root, file), 'utf8');
    const [, names = ''] = /import \{([^}]*)\} from 'lucide-react'/.exec(source) ?? [];
    for (const [name] of names.matchAll(/\b[A-Z]\w+/g))
      icons.add(name.replaceAll(/(?<!^)([A-Z]|\d+)/g, '-$1').toLowerCase());
  }
  return icons;
}

/** The words that a file and all that comes with it are drawn with. */
export const wordsWith = (file: string): Set<string> =>
  new Set([...modulesWith(file, true)].flatMap((each) => [...partOf(each).words]));

/** The components of a page, or of the shell, that come later. */
export const lazyPartsWith = (file: string): Part['lazyParts'] =>
  [...modulesWith(file, true)].flatMap((each) => partOf(each).lazyParts);

/** The router's facts of a page: its file, the layout of the shell around it, and whether it is a tab. */
interface PageEntry {
  file: string;
  layout: string;
  isTab: boolean;
}

/** The pages by their addresses, as the router has them. */
export function pagesOfRouter(): Map<string, PageEntry> {
  const source = fs.readFileSync(path.join(root, router), 'utf8');
  const found = source.matchAll(/\bpage\(\s*'([^']+)'([^]*?)import\('\.\.\/([^']+)'\)/g);
  return new Map(
    [...found].map(([, address = '', look = '', file = '']) => {
      const [, layout = 'column'] = /layout: '(\w+)'/.exec(look) ?? [];
      return [address, { file: `web/${file}`, layout, isTab: look.includes('tab: true') }];
    }),
  );
}

/** Each page's file by its address. */
export const filesOfPages = (): Map<string, string> =>
  new Map([...pagesOfRouter()].map(([address, { file }]) => [address, file]));
