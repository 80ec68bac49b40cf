import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlib, gzip } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fewFiles } from './scripts/web-build/chunks.ts';
import { fontSubset } from './scripts/web-build/font-subset.ts';
import { firstScreens, type FirstScreensFile } from './scripts/web-build/first-screens.ts';
import { earlyReadsEntry, earlyReadsFirst } from './scripts/web-build/early-reads-first.ts';
import { librariesFirst } from './scripts/web-build/libraries-first.ts';
import { licenses } from './scripts/web-build/licenses.ts';
import { mapEngineMaps } from './scripts/web-build/map-engine-maps.ts';
import { filesInHtml, pageFiles, pageFilesName, type PageFiles } from './scripts/web-build/page-files.ts';
import { stylesInFiles } from './scripts/web-build/styles-in-files.ts';
import { thinContract } from './scripts/web-build/thin-contract.ts';
import { frameOf } from './server/platform/http/page-html.ts';
import { build, defineConfig, type Plugin, type Rollup } from 'vite';

// For work on the web app: `API_URL=http://127.0.0.1:3020 npx vite` serves it live and passes calls on.
const api = process.env['API_URL'];
const callsOfTheServer =
  '^/(access|address|admin|alert|announcement|app|car|contact|demo|e|event|feedback|files|im|live|notification|order|payment|preview|r|region|review|series|tag|test-money|upload|user)/';

/** The service worker does not cache what only admins open. */
const adminsAlone = /^assets\/(statistics|admin|license-reviews)-/;

/** The files that make the app, with a revision where the name does not change with the content. */
function filesOf(folder: string): { url: string; revision: string | null }[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !adminsAlone.test(name) && name !== 'sw.js' && !name.endsWith('.map'))
    .toSorted()
    .map((name) => ({
      url: `/${name}`,
      revision: name.startsWith('assets/')
        ? null
        : createHash('sha256')
            .update(fs.readFileSync(path.join(folder, name)))
            .digest('hex')
            .slice(0, 16),
    }));
}

/**
 * What any page needs before it can draw: the page, the scripts and styles that it names, with all that they
 * import, and the words of every page.
 */
function shellOf(bundle: Rollup.OutputBundle): Set<string> {
  const shell = new Set(['index.html', 'icon.svg', 'manifest.webmanifest']);
  const add = (name: string) => {
    if (shell.has(name)) return;
    shell.add(name);
    const chunk = bundle[name];
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) add(imported);
  };
  for (const name of filesInHtml(bundle)) add(name);
  for (const name of Object.keys(bundle)) if (/words-\w+-start-/.test(name)) add(name);
  return shell;
}

/**
 * The pages whose HTML holds what a guest sees first, as files of the shell: the same for all people, they
 * change with the build.
 */
function firstPagesOf(folder: string): { url: string; revision: string }[] {
  const parts = ['web/index.html', 'web-first-screens.json', 'web-pages.json'].map((name) =>
    fs.readFileSync(path.join(folder, '..', name), 'utf8'),
  );
  const revision = createHash('sha256').update(parts.join('')).digest('hex').slice(0, 16);
  const { pages } = JSON.parse(parts[1]!) as Pick<FirstScreensFile, 'pages'>;
  return Object.keys(pages).map((url) => ({ url, revision }));
}

/** The frames of all pages, each with the addresses that have it. */
function framesOf(folder: string): Record<string, string[]> {
  const file = path.join(folder, '..', pageFilesName);
  const pages = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, PageFiles>;
  return Object.groupBy(Object.keys(pages), (address) => frameOf(pages[address]!)) as Record<
    string,
    string[]
  >;
}

/** Builds the service worker after the app, with the lists of the app's files in it. */
function serviceWorker(): Plugin {
  let root = '';
  let folder = '';
  let shell = new Set<string>();
  return {
    name: 'sameway-service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      folder = path.resolve(config.root, config.build.outDir);
    },
    writeBundle(_options, bundle) {
      shell = shellOf(bundle);
    },
    async closeBundle() {
      const files = filesOf(folder);
      const isShell = ({ url }: { url: string }) => shell.has(url.slice(1));
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        publicDir: false,
        define: {
          SHELL_FILES: JSON.stringify([...files.filter(isShell), ...firstPagesOf(folder)]),
          FRAMES: JSON.stringify(framesOf(folder)),
          // What has no hash in its name is left to the browser's own cache.
          OTHER_FILES: JSON.stringify(
            files.filter((file) => !isShell(file) && file.revision === null).map(({ url }) => url),
          ),
          'process.env.NODE_ENV': JSON.stringify('production'),
        },
        build: {
          outDir: folder,
          emptyOutDir: false,
          target: 'es2022',
          lib: {
            entry: path.join(root, 'service-worker', 'worker.ts'),
            name: 'worker',
            formats: ['iife'],
            fileName: () => 'sw.js',
          },
        },
      });
    },
  };
}

const packsWell = /\.(m?js|css|html|svg|json|webmanifest|txt)$/;
/** What is smaller fits a single packet either way. */
const leastPackedBytes = 1024;

/**
 * Writes a brotli and a gzip copy beside each text file, so that the server packs nothing while a person
 * waits and packs it better than it could then. Runs last: the service worker is a file too.
 */
function packedCopies(): Plugin {
  let folder = '';
  const pack = async (name: string) => {
    const file = path.join(folder, name);
    const bytes = await fs.promises.readFile(file);
    if (bytes.length < leastPackedBytes) return;
    const [small, plain] = await Promise.all([
      promisify(brotliCompress)(bytes, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    await Promise.all([
      fs.promises.writeFile(`${file}.br`, small),
      fs.promises.writeFile(`${file}.gz`, plain),
    ]);
  };
  return {
    name: 'sameway-packed-copies',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
        await Promise.all(names.filter((name) => packsWell.test(name)).map(pack));
      },
    },
  };
}

const inCore = (...names: string[]) => path.join(import.meta.dirname, 'web', 'core', ...names);

/** The app's own small parts in place of libraries. */
const resolve = {
  alias: [
    { find: /^zod$/, replacement: inCore('zod.ts') },
    { find: /^i18next$/, replacement: inCore('words', 'engine.ts') },
    { find: /^react-i18next$/, replacement: inCore('words', 'react.ts') },
  ],
};

export default defineConfig({
  root: 'web',
  server: {
    host: '127.0.0.1',
    proxy:
      api === undefined ? {} : { [callsOfTheServer]: { target: api }, '/live': { target: api, ws: true } },
  },
  resolve,
  plugins: [
    fontSubset(),
    thinContract(),
    stylesInFiles(),
    react(),
    tailwind(),
    librariesFirst(),
    earlyReadsFirst(),
    pageFiles(),
    firstScreens(resolve),
    mapEngineMaps(),
    licenses(),
    serviceWorker(),
    packedCopies(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
    // Files, never data: addresses, so that the strict content security policy needs no exceptions.
    assetsInlineLimit: 0,
    // The map engine is one lazy chunk of this size by nature; everything else stays far below.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: {
        index: path.join(import.meta.dirname, 'web', 'index.html'),
        [earlyReadsEntry]: path.join(import.meta.dirname, 'web', 'app', 'early-reads.ts'),
      },
      output: { codeSplitting: { groups: fewFiles } },
    },
  },
});
