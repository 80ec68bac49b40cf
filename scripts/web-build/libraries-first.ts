import type { Plugin } from 'vite';

const librariesTag = /[ \t]*<link rel="modulepreload"([^>]*href="\/assets\/libraries-[^"]+")>\n?/;

/**
 * Has the libraries run as a script of their own before the app: one file that brings the other along would
 * run together with it, and hold up for twice as long what a person does meanwhile.
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
