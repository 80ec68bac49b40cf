import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FirstScreensFile } from './first-screens.ts';
import type { PageFiles } from './page-files.ts';

/**
 * The files that a browser fetches before a page is there, packed by gzip; fonts are packed by themselves.
 */
export interface FirstLoad {
  /** Until it shows: the page with what a guest sees first or its frame, style sheets and fonts. */
  shownBytes: number;
  shownRequests: number;
  /** Until it works: its scripts, and its words, which are scripts too. */
  scriptBytes: number;
  /** Until it works: the page itself, and every file that its HTML names. */
  requests: number;
}

/** The files that the HTML of an address names: those of every page, and its own. */
export function firstLoad(
  html: string,
  { scripts, words, firstScreen }: Pick<PageFiles, 'scripts' | 'words'> & { firstScreen: string | null },
  bytesOf: (file: string) => number,
): FirstLoad {
  const ofEveryPage = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  // The longer language decides.
  const bytesIn = (files: readonly string[]) => files.reduce((sum, file) => sum + bytesOf(file), 0);
  const longer = Object.values(words).toSorted((a, b) => bytesIn(b) - bytesIn(a))[0] ?? [];
  const files = new Set([...ofEveryPage, ...scripts, ...longer]);
  const isScript = (file: string) => file.endsWith('.js');
  const shown = [...files].filter((file) => !isScript(file));
  // The frame has a picture.
  if (firstScreen === null) shown.push('icon.svg');
  return {
    shownBytes: packed(html + (firstScreen ?? '')) + bytesIn(shown),
    shownRequests: 1 + shown.length,
    scriptBytes: bytesIn([...files].filter(isScript)),
    requests: 1 + new Set([...files, ...shown]).size,
  };
}

const packed = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length;

/** The longest that the server puts into the HTML of a page that guests open first, with its script. */
function longest({ script, greeting, pages }: FirstScreensFile, address: string): string | null {
  const drawn = pages[address];
  if (drawn === undefined) return null;
  const over = address === '/' ? greeting : { en: '', zh: '' };
  const sent = (['en', 'zh'] as const).map((language) => script + drawn[language].demo + over[language]);
  return sent.toSorted((a, b) => packed(b) - packed(a))[0] ?? null;
}

/** The first load of each of these pages, in a folder with a build. */
export function firstLoadsOf(folder: string, addresses: readonly string[]): Map<string, FirstLoad> {
  const web = path.join(folder, 'web');
  const html = fs.readFileSync(path.join(web, 'index.html'), 'utf8');
  const pages = JSON.parse(fs.readFileSync(path.join(folder, 'web-pages.json'), 'utf8')) as Readonly<
    Record<string, PageFiles>
  >;
  const drawn = JSON.parse(
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
      return [address, firstLoad(html, { ...files, firstScreen: longest(drawn, address) }, bytesOf)];
    }),
  );
}
