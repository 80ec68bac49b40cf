import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PageFiles } from './page-files.ts';

/** What a browser fetches before a page is there. */
export interface FirstLoad {
  /** Packed by gzip: its scripts, and its words, which are scripts too. */
  scriptBytes: number;
  /** The page itself, and every file that its HTML names. */
  requests: number;
}

/** The files that the HTML of an address names: those of every page, and its own. */
export function firstLoad(
  html: string,
  { scripts, words }: Pick<PageFiles, 'scripts' | 'words'>,
  bytesOf: (file: string) => number,
): FirstLoad {
  const ofEveryPage = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  // The longer language decides.
  const bytesIn = (files: readonly string[]) => files.reduce((sum, file) => sum + bytesOf(file), 0);
  const longer = Object.values(words).toSorted((a, b) => bytesIn(b) - bytesIn(a))[0] ?? [];
  const files = new Set([...ofEveryPage, ...scripts, ...longer]);
  return {
    scriptBytes: bytesIn([...files].filter((file) => file.endsWith('.js'))),
    requests: 1 + files.size,
  };
}

/** The first load of each of these pages, in a folder with a build. */
export function firstLoadsOf(folder: string, addresses: readonly string[]): Map<string, FirstLoad> {
  const web = path.join(folder, 'web');
  const html = fs.readFileSync(path.join(web, 'index.html'), 'utf8');
  const pages = JSON.parse(fs.readFileSync(path.join(folder, 'web-pages.json'), 'utf8')) as Readonly<
    Record<string, PageFiles>
  >;
  const bytesOf = (file: string) => gzipSync(fs.readFileSync(path.join(web, file)), { level: 9 }).length;
  return new Map(
    addresses.map((address) => {
      const files = pages[address];
      if (files === undefined) throw new Error(`The build knows no page at ${address}.`);
      return [address, firstLoad(html, files, bytesOf)];
    }),
  );
}
