import type { Plugin, Rollup } from 'vite';

/** The name of the second entry, `web/app/early-reads.ts`. */
export const earlyReadsEntry = 'early-reads';

/**
 * Adds the script of the early reads to the page, before all others. It is `async`, so that it runs as soon
 * as it has arrived, while the rest is still loading.
 */
export function earlyReadsFirst(): Plugin {
  return {
    name: 'sameway-early-reads-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => withEarlyReads(html, fileOf(bundle ?? {})),
    },
  };
}

/** @throws Error if the build has no such entry. */
function fileOf(bundle: Rollup.OutputBundle): string {
  const chunk = Object.values(bundle).find(
    (each) => each.type === 'chunk' && each.isEntry && each.name === earlyReadsEntry,
  );
  if (chunk === undefined) throw new Error('The build has no entry for the early reads.');
  return chunk.fileName;
}

export const withEarlyReads = (html: string, file: string): string =>
  html.replace(
    '<script type="module"',
    (app) => `<script type="module" async crossorigin src="/${file}"></script>\n    ${app}`,
  );
