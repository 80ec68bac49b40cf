import type { Plugin } from 'vite';

const librariesTag = /[ \t]*<link rel="modulepreload"([^>]*href="\/assets\/libraries-[^"]+")>\n?/;

/**
 * Has the libraries run by a tag of their own before the app. A browser runs a script and all that it
 * imports in one task; with two tags it answers a tap between them.
 */
export function librariesFirst(): Plugin {
  return {
    name: 'sameway-libraries-first',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: withLibrariesFirst },
  };
}

/** @throws Error where the page does not name the libraries, which are then no file of their own any more. */
export function withLibrariesFirst(html: string): string {
  const [tag, attributes] = librariesTag.exec(html) ?? [];
  if (tag === undefined) throw new Error('The built page does not name the file of libraries.');
  const script = `<script type="module"${attributes!.replace('href=', 'src=')}></script>\n    `;
  return html.replace(tag, '').replace('<script type="module"', (app) => script + app);
}
