import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { DrawnScreens, FirstScreensFile } from './first-screens.ts';
import type { PageFiles } from './page-files.ts';

/** What a browser fetches before a page is there, packed by gzip; fonts are packed by themselves. */
export interface FirstLoad {
  /** Until it shows: the page with what a guest sees first or its frame, style sheets and fonts. */
  shownBytes: number;
  /** Until it works: its scripts, and its words, which are scripts too. */
  scriptBytes: number;
  /** The page itself, and every file that its HTML names. */
  requests: number;
}

/** The files that the HTML of an address names: those of every page, and its own. */
export function firstLoad(
  html: string,
  { scripts, words, firstScreen }: Pick<PageFiles, 'scripts' | 'words'> & { firstScreen: FirstScreen | null },
  bytesOf: (file: string) => number,
): FirstLoad {
  const ofEveryPage = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  // The longer language decides.
  const bytesIn = (files: readonly string[]) => files.reduce((sum, file) => sum + bytesOf(file), 0);
  const longer = Object.values(words).toSorted((a, b) => bytesIn(b) - bytesIn(a))[0] ?? [];
  const before = firstScreen === null ? [] : [firstScreen.script];
  const files = new Set([...ofEveryPage, ...before, ...scripts, ...longer]);
  const isShown = (file: string) => !file.endsWith('.js') || before.includes(file);
  return {
    shownBytes: packed(html + (firstScreen?.html ?? '')) + bytesIn([...files].filter(isShown)),
    scriptBytes: bytesIn([...files].filter((file) => !isShown(file))),
    requests: 1 + files.size,
  };
}

const packed = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length;

/** What stands in a page's HTML before any script of the app, and the script that decides about it. */
interface FirstScreen {
  script: string;
  html: string;
}

/** The longest that the server sends. */
function longest({ greeting, pages }: DrawnScreens, address: string): string | null {
  const drawn = pages[address];
  if (drawn === undefined) return null;
  const over = address === '/' ? greeting : { en: '', zh: '' };
  const sent = (['en', 'zh'] as const).map((language) => drawn[language].demo + over[language]);
  return sent.toSorted((a, b) => packed(b) - packed(a))[0] ?? null;
}

/** The first load of each of these pages, in a folder with a build. */
export function firstLoadsOf(folder: string, addresses: readonly string[]): Map<string, FirstLoad> {
  const web = path.join(folder, 'web');
  const html = fs.readFileSync(path.join(web, 'index.html'), 'utf8');
  const pages = JSON.parse(fs.readFileSync(path.join(folder, 'web-pages.json'), 'utf8')) as Readonly<
    Record<string, PageFiles>
  >;
  const { script, ...drawn } = JSON.parse(
    fs.readFileSync(path.join(folder, 'web-first-screens.json'), 'utf8'),
  ) as FirstScreensFile;
  const bytesOf = (file: string) => {
    const content = fs.readFileSync(path.join(web, file));
    return file.endsWith('.woff2') ? content.length : packed(content);
  };
  return new Map(
    addresses.map((address) => {
      const files = pages[address];
      if (files === undefined) throw new Error(`The build knows no page at ${address}.`);
      const first = longest(drawn, address);
      const firstScreen = first === null ? null : { script, html: first };
      return [address, firstLoad(html, { ...files, firstScreen }, bytesOf)];
    }),
  );
}
