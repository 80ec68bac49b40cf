import fs from 'node:fs';
import path from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { firstWordsOf, wordsOfEveryPage } from '../../web/app/page-words.ts';
import type { PagePath } from '../../web/core/page-search.ts';
import { pagesOfRouter } from './words-of-pages.ts';

/**
 * The files and the frame that an address is drawn with: its scripts, in addition to those that the page
 * itself names, its words, and the layout of the frame that is there before them.
 */
export interface PageFiles {
  layout: string;
  isTab: boolean;
  scripts: string[];
  words: Record<'en' | 'zh', string[]>;
}

const root = path.resolve(import.meta.dirname, '..', '..');
/** Where the server finds what the HTML of each address names (server/platform/http/page-files.ts). */
export const pageFilesName = 'web-pages.json';

/** Writes down which files each page is drawn with, so that its HTML can name them. */
export function pageFiles(): Plugin {
  let folder = '';
  return {
    name: 'sameway-page-files',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir, '..');
    },
    writeBundle(_options, bundle) {
      fs.writeFileSync(path.join(folder, pageFilesName), JSON.stringify(filesOf(bundle), null, 1));
    },
  };
}

/** The scripts and styles that the built page itself names. */
export function filesInHtml(bundle: Rollup.OutputBundle): string[] {
  const page = bundle['index.html'];
  const html = page?.type === 'asset' ? String(page.source) : '';
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
}

const pathOf = (id: string) => path.relative(root, id).replaceAll('\\', '/');

function filesOf(bundle: Rollup.OutputBundle): Record<string, PageFiles> {
  const chunks = new Map<string, Rollup.OutputChunk>();
  const chunkOf = new Map<string, Rollup.OutputChunk>();
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    chunks.set(chunk.fileName, chunk);
    for (const id of chunk.moduleIds) chunkOf.set(pathOf(id), chunk);
  }
  // A module that is asked for by its name may be in another file, which a small one of its own names.
  for (const chunk of chunks.values())
    if (chunk.facadeModuleId !== null) chunkOf.set(pathOf(chunk.facadeModuleId), chunk);
  const withImports = (names: Iterable<string>): Set<string> => {
    const seen = new Set<string>();
    const waiting = [...names];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      waiting.push(...(chunks.get(name)?.imports ?? []));
    }
    return seen;
  };
  const fileOf = (module: string): string => {
    const chunk = chunkOf.get(module);
    if (chunk === undefined) throw new Error(`The build has no file with ${module}.`);
    return chunk.fileName;
  };
  const ofEveryPage = withImports(filesInHtml(bundle));
  const wordsOf = (address: string, language: string): string[] => {
    const own = firstWordsOf(address as PagePath);
    return [
      ...new Set([...wordsOfEveryPage, ...own].map((name) => fileOf(`locales/${language}/${name}.json`))),
    ];
  };
  const scriptsOf = (file: string) =>
    [...withImports([fileOf(file)])].filter((name) => !ofEveryPage.has(name));
  return Object.fromEntries(
    [...pagesOfRouter()].map(([address, { file, ...look }]) => [
      address,
      {
        ...look,
        scripts: scriptsOf(file),
        words: { en: wordsOf(address, 'en'), zh: wordsOf(address, 'zh') },
      },
    ]),
  );
}
