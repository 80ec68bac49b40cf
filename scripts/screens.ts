/**
 * `npm run screens`: takes a picture of every screen and dialog of the app with the demo community in it,
 * also empty, failed, offline and with long names, on a phone, a tablet and a desktop, in English and
 * Chinese, into `screens/`, which git ignores; `screens/index.html` shows them side by side. `-- --only TEXT`
 * takes those whose name holds the text, `--size phone` and `--language zh` one size or language,
 * `--no-dialogs` the pages alone, `--to FOLDER` puts them elsewhere. `-- --keep` takes the main twelve in
 * English on a phone and a desktop into `docs/screens`, which the repository keeps.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { config } from '#contract/app/endpoints.ts';
import { chromiumLaunch } from '../e2e/chromium.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { impose, prepare, relieve } from './screens/conditions.ts';
import { eachDialog } from './screens/dialogs.ts';
import { galleryPage, type Picture } from './screens/gallery.ts';
import { scenes, type Scene } from './screens/scenes.ts';
import {
  apiOf,
  openWindow,
  settle,
  signIn,
  sizes,
  visitors,
  type Language,
  type Session,
  type Size,
} from './screens/visit.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string' },
    size: { type: 'string', default: '' },
    language: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    'no-dialogs': { type: 'boolean', default: false },
  },
});
const root = path.join(import.meta.dirname, '..');
const folder = path.resolve(values.to ?? path.join(root, values.keep ? 'docs/screens' : 'screens'));
/** Pictures in the repository are small: at most 2 MB in all. */
const quality = values.keep ? 60 : 82;

const wantedSizes = sizes.filter(({ name }) =>
  values.keep ? name !== 'tablet' : name.includes(values.size),
);
const languages = (['en', 'zh'] as const).filter((language) =>
  values.keep ? language === 'en' : language.includes(values.language),
);
const wanted = scenes.filter(({ name, isKept }) => (!values.keep || isKept) && name.includes(values.only));

const pictures: Picture[] = [];
const failures: string[] = [];

interface Window {
  url: string;
  session: Session;
  context: BrowserContext;
  page: Page;
  size: Size;
  language: Language;
  /** Buttons that were pressed to find dialogs. */
  pressed: Set<string>;
}

async function shoot({ page, size, language }: Window, name: string): Promise<void> {
  const suffix = values.keep ? '' : `.${language}`;
  const file = `${name}.${size.name}${suffix}.webp`;
  await page.screenshot({ path: path.join(folder, file), type: 'webp', quality });
  pictures.push({ file, name, size: size.name, language });
  process.stdout.write(`${file}\n`);
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);

async function takeScene(window: Window, scene: Scene): Promise<void> {
  const { url, session, context, page } = window;
  await prepare(page, scene.condition);
  const address = typeof scene.path === 'string' ? scene.path : await scene.path(apiOf(url, session));
  await page.goto(url + address);
  await settle(page);
  await impose(context, page, scene.condition);
  await shoot(window, scene.name);
  await relieve(context, page);
  if (scene.withDialogs && !values['no-dialogs'] && !values.keep)
    await eachDialog(page, window.pressed, (title) => shoot(window, `${scene.name}--${slug(title)}`));
}

/** All scenes of one visitor in one window; a scene that fails is named at the end, and the others go on. */
async function takeInWindow(window: Window, own: readonly Scene[]): Promise<void> {
  for (const scene of own) {
    try {
      await takeScene(window, scene);
    } catch (error) {
      failures.push(`${scene.name} (${window.size.name}, ${window.language}): ${String(error)}`);
      await relieve(window.context, window.page);
    }
  }
}

/**
 * Pages wait often: several windows in parallel leave less of two cores idle. Pictures to be committed are
 * taken one after another, so that each map has the time to be drawn.
 */
const windowsAtOnce = values.keep ? 1 : 3;

async function takeAll(browser: Browser, url: string): Promise<void> {
  const { region } = config.output.parse(await apiOf(url, null)(config.path));
  const { timeZone } = region;
  const inTurn = pLimit(windowsAtOnce);
  const windows: Promise<void>[] = [];
  for (const visitor of visitors) {
    const own = wanted.filter((scene) => scene.as === visitor);
    if (own.length === 0) continue;
    const session = await signIn(url, visitor);
    for (const size of wantedSizes)
      for (const language of languages)
        windows.push(
          inTurn(async () => {
            const context = await openWindow(browser, session, { size, language, timeZone });
            const page = await context.newPage();
            await takeInWindow({ url, session, context, page, size, language, pressed: new Set() }, own);
            await context.close();
          }),
        );
  }
  await Promise.all(windows);
}

const data = newDataFolder();
const server = await startServer(data.folder, { REGION: 'state-college' });
process.env['E2E_URL'] = server.url;
const browser = await chromium.launch(await chromiumLaunch({ drawsMaps: true, isWhole: true }));
try {
  fs.mkdirSync(folder, { recursive: true });
  await takeAll(browser, server.url);
  pictures.sort((a, b) => a.file.localeCompare(b.file));
  if (!values.keep) fs.writeFileSync(path.join(folder, 'index.html'), galleryPage(pictures));
} finally {
  await browser.close();
  await server.stop();
  data.remove();
}
for (const failure of failures) process.stdout.write(`could not be taken: ${failure}\n`);
process.stdout.write(`${pictures.length} pictures are in ${path.relative(process.cwd(), folder) || '.'}\n`);
if (failures.length > 0) process.exitCode = 1;
