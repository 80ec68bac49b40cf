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

export type PartsOf = (address: string, look: { language: Language; isDemo: boolean }) => PageParts;

/** What guests see first (scripts/web-build/first-screens.ts). */
interface FirstScreens {
  script: string;
  greeting: Readonly<Record<Language, string>>;
  pages: Readonly<Record<string, Readonly<Record<Language, { plain: string; demo: string }>>>>;
}

/**
 * Reads what the build has written beside the web app (scripts/web-build/page-files.ts). Without it a browser
 * finds out for itself, one file after the other.
 */
export function readPageFiles(webFolder: string): PartsOf {
  const pages = readBeside<Record<string, PageFiles>>(webFolder, 'web-pages.json') ?? {};
  const firstScreens = readBeside<FirstScreens>(webFolder, 'web-first-screens.json');
  return (address, look) => {
    const page = pageAt(address) ?? '';
    const files = pages[page];
    if (files === undefined) return { preloads: [], frame: '' };
    const first = firstScreens === null ? null : firstScreenOf(firstScreens, page, look);
    return {
      preloads: [
        ...(first === null ? [] : [`<script src="/${first.script}"></script>`]),
        ...[...files.words[look.language], ...files.scripts].map(
          (name) => `<link rel="modulepreload" crossorigin href="/${name}" />`,
        ),
      ],
      frame: (first?.html ?? '') + frameOf(files),
    };
  };
}

function readBeside<T>(webFolder: string, name: string): Readonly<T> | null {
  const file = path.join(webFolder, '..', name);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<T>) : null;
}

/**
 * What a guest sees first at an address, drawn by the build, and the script that shows the frame instead
 * where the app will draw something else (web/app/before-scripts.ts); null for other pages.
 */
function firstScreenOf(
  { script, greeting, pages }: FirstScreens,
  page: string,
  { language, isDemo }: Parameters<PartsOf>[1],
): { script: string; html: string } | null {
  const drawn = pages[page]?.[language];
  if (drawn === undefined) return null;
  const over = page === '/' ? `<div class="greeting">${greeting[language]}</div>` : '';
  return { script, html: (isDemo ? drawn.demo : drawn.plain) + over };
}

/**
 * The shell and the shape of a page, drawn by the style sheet alone (web/ui/frame.css): the first screen's
 * first paint waits for no script. The app draws over it what it has at the same places.
 */
const frameOf = ({ layout, isTab }: PageFiles): string =>
  `<div class="frame frame-${layout}${isTab ? ' frame-tab' : ''}" aria-hidden="true">` +
  '<div class="frame-nav"><img src="/icon.svg" alt="" width="44" height="44" /></div>' +
  '<div class="frame-page"><i></i><i></i><i></i></div></div>';
