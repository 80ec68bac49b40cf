import fs from 'node:fs';
import path from 'node:path';
import type { Language } from '#contract/formats/intl.ts';
import { pageAt } from '#contract/app/pages.ts';

/** The head of an address's HTML, before any script has run: for search engines, chats and link previews. */
export interface PageHead {
  language: Language;
  siteName: string;
  title: string;
  description: string;
  /** The one absolute address of what the page shows. */
  address: string;
  /** Whether search engines may keep the page. */
  isIndexed: boolean;
  picture: { address: string; alt: string; width: number; height: number };
  /** schema.org's description of what the page shows; null for none. */
  data: Record<string, unknown> | null;
  /** The lines below the title for a reader without scripts. */
  lines: readonly string[];
}

/** The built page, cut where the head of an address goes in. */
export interface PageTemplate {
  beforeStyles: string;
  styles: string;
  /** The tags that load the app, in their order. */
  appScripts: readonly string[];
  afterHead: string;
  afterFrame: string;
  afterApp: string;
}

/**
 * Cuts the built `index.html`: its own language, title and description go, those of an address come in their
 * place.
 */
export function pageTemplate(html: string): PageTemplate {
  const appScript = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;
  const appScripts = [...html.matchAll(appScript)].map(([tag]) => tag.trim());
  const bare = html
    .replaceAll(appScript, '')
    .replace(/<html[^>]*>/, '')
    .replace(/<!doctype html>/i, '')
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(/\s*<title>[^<]*<\/title>/, '');
  const [head = '', body = ''] = bare.split('</head>', 2);
  const [beforeApp = '', rest = ''] = body.split(/(?<=<div id="app">)(?=<\/div>)/, 2);
  const [app = '', afterApp = ''] = rest.split(/(?<=^<\/div>)/, 2);
  const style = /\s*<link rel="stylesheet"[^>]*>/g;
  return {
    beforeStyles: head.replaceAll(style, '').trim(),
    styles: [...head.matchAll(style)].map(([tag]) => `    ${tag.trim()}\n`).join(''),
    appScripts,
    afterHead: `</head>${beforeApp}`,
    afterFrame: app,
    afterApp,
  };
}

/**
 * The whole page of an address. Whatever a person typed comes out as text.
 * @param parts the files that it is drawn with, the frame until then, the script that loads the app where the
 *   page is more than a frame, and what the app needs to know of this installation.
 */
export function pageHtml(
  { beforeStyles, styles, appScripts, afterHead, afterFrame, afterApp }: PageTemplate,
  head: PageHead,
  { scripts, frame, startScript, config }: PageParts & { config: Readonly<Record<string, unknown>> },
): string {
  const preloads = scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}" />`);
  const app = [...appScripts, ...preloads];
  // Before the style sheet, which would hold it back.
  const start =
    startScript === null
      ? ''
      : `    <template id="app-scripts">${app.join('')}</template>\n    <script>${startScript}</script>\n`;
  // They share the line with the style sheet and the font, which the first paint waits for.
  const later = startScript === null ? app.map((tag) => `    ${withLowPriority(tag)}\n`).join('') : '';
  return `<!doctype html>
<html lang="${head.language === 'zh' ? 'zh-CN' : 'en'}">
  ${beforeStyles}
    <script type="application/json" id="config">${jsonInHtml(config)}</script>
${start}${styles}${later}${headLines(head)}
  ${afterHead}${frame}${afterFrame}
${withoutScripts(head)}${afterApp}`;
}

/** The script of the early reads comes first: it is small, and its reads take long. */
const withLowPriority = (tag: string): string =>
  tag.replace(/^<\w+/, `$& fetchpriority="${tag.includes(' async ') ? 'high' : 'low'}"`);

function headLines(head: PageHead): string {
  const { language, siteName, title, description, address, isIndexed, picture, data } = head;
  const named = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`;
  const graph = (property: string, content: string | number) =>
    `<meta property="og:${property}" content="${escaped(String(content))}" />`;
  return [
    `<title>${escaped(title)}</title>`,
    named('description', description),
    ...(isIndexed ? [`<link rel="canonical" href="${escaped(address)}" />`] : [named('robots', 'noindex')]),
    graph('type', 'website'),
    graph('site_name', siteName),
    graph('locale', language === 'zh' ? 'zh_CN' : 'en_US'),
    graph('title', title),
    graph('description', description),
    graph('url', address),
    graph('image', picture.address),
    graph('image:width', picture.width),
    graph('image:height', picture.height),
    graph('image:alt', picture.alt),
    named('twitter:card', 'summary_large_image'),
    ...(data === null ? [] : [`<script type="application/ld+json">${jsonInHtml(data)}</script>`]),
  ]
    .map((line) => `    ${line}`)
    .join('\n');
}

const withoutScripts = ({ title, lines, address }: PageHead): string =>
  [
    '    <noscript>',
    '      <main>',
    `        <h1>${escaped(title)}</h1>`,
    ...lines.map((line) => `        <p>${escaped(line)}</p>`),
    `        <p><a href="${escaped(address)}">${escaped(address)}</a></p>`,
    '      </main>',
    '    </noscript>',
  ].join('\n');

/** Text as HTML shows it, also inside an attribute. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** JSON that cannot end the script element that contains it. */
const jsonInHtml = (data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

interface PageFiles extends PageShape {
  scripts: readonly string[];
  words: Readonly<Record<Language, readonly string[]>>;
}

/** The build's facts of the page at an address. */
interface PageParts {
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

/** The shape of a page's frame: the layout of the shell, and whether the tabs are there. */
interface PageShape {
  layout: string;
  isTab: boolean;
}

/**
 * The shell and the shape of a page, drawn by the style sheet alone (web/ui/frame.css): the first screen's
 * first paint waits for no script. The app draws over it what it has at the same places.
 */
export const frameOf = ({ layout, isTab }: PageShape): string =>
  `<div class="frame frame-${layout}${isTab ? ' frame-tab' : ''}" aria-hidden="true">` +
  '<div class="frame-nav"><img src="/icon.svg" alt="" width="44" height="44" /></div>' +
  '<div class="frame-page"><i></i><i></i><i></i></div></div>';
