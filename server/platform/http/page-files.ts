import fs from 'node:fs';
import path from 'node:path';
import { pageAt } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';
import { frameOf, type PageShape } from './page-frame.ts';

interface PageFiles extends PageShape {
  scripts: readonly string[];
  words: Readonly<Record<Language, readonly string[]>>;
}

/** The build's facts of the page at an address. */
export interface PageParts {
  /** The files of words and scripts that it is drawn with, in addition to those of every page. */
  scripts: readonly string[];
  /** The frame shown until they have drawn the page. */
  frame: string;
  /** Runs before the first paint and loads the app (web/app/before-scripts.ts); null for a frame alone. */
  startScript: string | null;
}

export type PartsOf = (address: string, look: { language: Language; isDemo: boolean }) => PageParts;

/** The first screens of guests (scripts/web-build/first-screens.ts). */
interface FirstScreens {
  script: string;
  greeting: Readonly<Record<Language, string>>;
  pages: Readonly<Record<string, Readonly<Record<Language, { plain: string; demo: string }>>>>;
}

/**
 * Reads the lists of files that the build writes next to the web app (scripts/web-build/page-files.ts).
 * Without them a browser finds out for itself, one file after the other.
 */
export function readPageFiles(webFolder: string): PartsOf {
  const pages = readBeside<Record<string, PageFiles>>(webFolder, 'web-pages.json') ?? {};
  const firstScreens = readBeside<FirstScreens>(webFolder, 'web-first-screens.json');
  return (address, look) => {
    const page = pageAt(address) ?? '';
    const files = pages[page];
    if (files === undefined) return { scripts: [], frame: '', startScript: null };
    const first = firstScreens === null ? null : firstScreenOf(firstScreens, page, look);
    return {
      scripts: [...files.words[look.language], ...files.scripts],
      frame: (first ?? '') + frameOf(files),
      startScript: first === null ? null : (firstScreens?.script ?? null),
    };
  };
}

function readBeside<T>(webFolder: string, name: string): Readonly<T> | null {
  const file = path.join(webFolder, '..', name);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<T>) : null;
}

/** A guest's first screen at an address, drawn by the build; null for other pages. */
function firstScreenOf(
  { greeting, pages }: FirstScreens,
  page: string,
  { language, isDemo }: Parameters<PartsOf>[1],
): string | null {
  const drawn = pages[page]?.[language];
  if (drawn === undefined) return null;
  const over = page === '/' ? `<div class="greeting">${greeting[language]}</div>` : '';
  return (isDemo ? drawn.demo : drawn.plain) + over;
}
