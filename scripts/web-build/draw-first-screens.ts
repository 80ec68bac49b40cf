import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createServer } from 'vite';
import type { Language } from '#contract/formats/intl.ts';
import { standInForBrowser } from './browser-stand-in.ts';
import type { DrawnScreens, DrawOrder } from './first-screens.ts';
import { requireNoStyles } from './styles-in-files.ts';
import { withoutScripts } from './without-scripts.ts';

/*
 * A thread of the build (first-screens.ts): draws the pages that guests open first, for a phone and for a
 * desktop.
 */

/** The module web/app/first-screens.tsx: its types need the DOM library, which scripts compile without. */
interface App {
  firstPages: readonly string[];
  firstScreen: (ask: {
    address: string;
    language: Language;
    isDemo: boolean;
    idPrefix: string;
  }) => Promise<string>;
  greeting: (language: Language) => Promise<string>;
}

const web = path.resolve(import.meta.dirname, '..', '..', 'web');
const { resolve } = workerData as DrawOrder;
const browser = standInForBrowser();
const vite = await createServer({
  configFile: false,
  root: web,
  logLevel: 'warn',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  ...(resolve === undefined ? {} : { resolve }),
});
const app = (await vite.ssrLoadModule(path.join(web, 'app', 'first-screens.tsx'))) as App;

async function draw(address: string, language: Language, isDemo: boolean) {
  const widths = [];
  for (const width of ['phone', 'desktop'] as const) {
    browser.isDesktop = width === 'desktop';
    const html = await app.firstScreen({ address, language, isDemo, idPrefix: width });
    widths.push(
      `<div class="first-screen first-screen-${width}">${requireNoStyles(withoutScripts(html.replaceAll(' style="height:52%"', '')))}</div>`,
    );
  }
  return widths.join('');
}

const inBoth = async <T>(make: (language: Language) => Promise<T>): Promise<Record<Language, T>> => ({
  en: await make('en'),
  zh: await make('zh'),
});

const drawn: DrawnScreens = {
  greeting: await inBoth(async (language) => requireNoStyles(withoutScripts(await app.greeting(language)))),
  pages: {},
};
for (const address of app.firstPages)
  drawn.pages[address] = await inBoth(async (language) => ({
    plain: await draw(address, language, false),
    demo: await draw(address, language, true),
  }));
parentPort?.postMessage(drawn);
