import fs from 'node:fs';
import path from 'node:path';
import { pageAt } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';

interface PageFiles {
  scripts: readonly string[];
  words: Readonly<Record<Language, readonly string[]>>;
}

/** Lists the scripts and words that the page at an address is drawn with, as lines of its head. */
export type PreloadsOf = (address: string, language: Language) => readonly string[];

/**
 * Reads what the build has written beside the web app (scripts/web-build/page-files.ts). Without it a browser
 * finds out for itself, one file after the other.
 */
export function readPageFiles(webFolder: string): PreloadsOf {
  const file = path.join(webFolder, '..', 'web-pages.json');
  const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '{}';
  const pages = JSON.parse(written) as Readonly<Record<string, PageFiles>>;
  return (address, language) => {
    const files = pages[pageAt(address) ?? ''];
    return files === undefined
      ? []
      : [...files.words[language], ...files.scripts].map(
          (name) => `<link rel="modulepreload" crossorigin href="/${name}" />`,
        );
  };
}
