import fs from 'node:fs';
import path from 'node:path';
import { pageAt } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';

interface PageFiles {
  layout: string;
  isTab: boolean;
  scripts: readonly string[];
  words: Readonly<Record<Language, readonly string[]>>;
}

/** What the build knows of the page at an address. */
export interface PageParts {
  /** The scripts and words that it is drawn with, as lines of its head. */
  preloads: readonly string[];
  /** What stands in its place until they have drawn it. */
  frame: string;
}

export type PartsOf = (address: string, language: Language) => PageParts;

/**
 * Reads what the build has written beside the web app (scripts/web-build/page-files.ts). Without it a browser
 * finds out for itself, one file after the other.
 */
export function readPageFiles(webFolder: string): PartsOf {
  const file = path.join(webFolder, '..', 'web-pages.json');
  const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '{}';
  const pages = JSON.parse(written) as Readonly<Record<string, PageFiles>>;
  return (address, language) => {
    const files = pages[pageAt(address) ?? ''];
    if (files === undefined) return { preloads: [], frame: '' };
    return {
      preloads: [...files.words[language], ...files.scripts].map(
        (name) => `<link rel="modulepreload" crossorigin href="/${name}" />`,
      ),
      frame: frameOf(files),
    };
  };
}

/**
 * The shell and the shape of a page, drawn by the style sheet alone (web/ui/frame.css): the first screen's
 * first paint waits for no script. The app draws over it what it has at the same places.
 */
const frameOf = ({ layout, isTab }: PageFiles): string =>
  `<div class="frame frame-${layout}${isTab ? ' frame-tab' : ''}" aria-hidden="true">` +
  '<div class="frame-nav"><img src="/icon.svg" alt="" width="44" height="44" /></div>' +
  '<div class="frame-page"><i></i><i></i><i></i></div></div>';
