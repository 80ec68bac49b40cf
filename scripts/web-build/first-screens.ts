import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { minify, transformWithOxc, type Plugin, type UserConfig } from 'vite';
import type { Language } from '#contract/formats/intl.ts';

/** The first screens of guests, as HTML. */
export interface DrawnScreens {
  /** The introduction that lies over home at a first visit. */
  greeting: Record<Language, string>;
  /** By address and language: without the bar of a demo and with it. */
  pages: Record<string, Record<Language, { plain: string; demo: string }>>;
}

/** The server's parts for the HTML of the pages that guests open first. */
export interface FirstScreensFile extends DrawnScreens {
  /** In the HTML: decides before the first paint whether the app will draw the same, and loads it. */
  script: string;
}

/** The resolution of the app's modules, for the thread that draws. */
export interface DrawOrder {
  resolve: UserConfig['resolve'];
}

const root = path.resolve(import.meta.dirname, '..', '..');
const app = path.join(root, 'web', 'app');
/** Where the server finds them (server/platform/http/page-files.ts). */
const fileName = 'web-first-screens.json';

/** Renders the pages that guests open first to HTML, so that they are there before any script of the app. */
export function firstScreens(resolve: UserConfig['resolve']): Plugin {
  let folder = '';
  let script = '';
  return {
    name: 'sameway-first-screens',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir, '..');
    },
    async generateBundle() {
      const file = path.join(app, 'before-scripts.ts');
      const { code } = await transformWithOxc(fs.readFileSync(file, 'utf8'), file);
      // No module: it runs at once. Its names stay its own.
      const { code: source } = await minify(file, `(() => {${code}})();`, { module: false });
      // In an element of HTML the script ends at this word.
      if (source.includes('</')) throw new Error('web/app/before-scripts.ts cannot stand in HTML.');
      script = source.trim();
    },
    async writeBundle() {
      const written = { script, ...(await rendered(resolve)) } satisfies FirstScreensFile;
      fs.writeFileSync(path.join(folder, fileName), JSON.stringify(written));
    },
  };
}

/** A thread of its own ends with all that the app has started in it. */
async function rendered(resolve: UserConfig['resolve']): Promise<DrawnScreens> {
  const thread = new Worker(new URL('draw-first-screens.ts', import.meta.url), {
    workerData: { resolve } satisfies DrawOrder,
  });
  const [drawn] = (await once(thread, 'message')) as [DrawnScreens];
  await thread.terminate();
  return drawn;
}
