import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { launch, type Browser } from 'puppeteer-core';
import { chromiumLaunch } from '../e2e/chromium.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { apiOf, signIn, type Session } from '../scripts/screens/visit.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { loadLighthouse, type Preset, type Visit } from './web/lighthouse.ts';
import { screensOf } from './web/screens.ts';

const presets: readonly Preset[] = ['mobile', 'desktop'];
const root = path.join(import.meta.dirname, '..');

interface Row extends Omit<Visit, 'benchmarkIndex' | 'hasMap'> {
  name: string;
  path: string;
  preset: Preset;
  /** Measured once more in a browser without WebGL: the difference is the map's own work. */
  withoutMap: boolean;
}

interface Target {
  name: string;
  path: string;
  session: Session;
}

function buildWebApp(): void {
  const args = [path.join(root, 'scripts', 'run.mjs'), '--build', '-e', ''];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    // Standard output holds the figures alone.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error('The web app could not be built.');
}

const median = (figures: readonly number[]): number => percentile(figures, 0.5);

/** Each figure's median. */
function rowOf(visits: readonly Visit[]): Omit<Row, 'name' | 'path' | 'preset' | 'withoutMap'> {
  const of = (figure: (visit: Visit) => number) => median(visits.map(figure));
  return {
    performance: of(({ performance }) => performance),
    accessibility: of(({ accessibility }) => accessibility),
    bestPractices: of(({ bestPractices }) => bestPractices),
    seo: of(({ seo }) => seo),
    lcpMs: Math.round(of(({ lcpMs }) => lcpMs)),
    tbtMs: Math.round(of(({ tbtMs }) => tbtMs)),
    cls: rounded(of(({ cls }) => cls * 10)) / 10,
    bytes: of(({ bytes }) => bytes),
    requests: of(({ requests }) => requests),
    failed: [...new Set(visits.flatMap(({ failed }) => failed))],
  };
}

/** Opens a window that has the session in its storage before any script of a page runs. */
async function openPage(browser: Browser, { name, session }: Target) {
  const page = await browser.newPage();
  const entries = {
    ...(name === 'intro' ? {} : { 'sameway.introSeen': 'true' }),
    ...(session === null ? {} : { 'sameway.session': JSON.stringify(session) }),
  };
  await page.evaluateOnNewDocument((kept: Record<string, string>) => {
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  }, entries);
  return page;
}

async function targetsOn(url: string, names: readonly string[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const { name, as, path } of screensOf(names)) {
    const session = await signIn(url, as);
    targets.push({
      name,
      session,
      path: typeof path === 'string' ? path : await path(apiOf(url, session)),
    });
  }
  return targets;
}

/**
 * Lighthouse on ten screens of the demo, on a simulated phone and on a desktop; pages with a map once more in
 * a browser without WebGL.
 * @param options.runs visits of which the median counts; `only` names screens, separated by commas.
 */
export async function benchWeb(options: Record<string, string>): Promise<Record<string, unknown>> {
  const runs = Number(options['runs'] ?? 3);
  const names = options['only']?.split(',') ?? [];
  const visitBy = await loadLighthouse();
  buildWebApp();
  const data = newDataFolder();
  const server = await startServer(data.folder, { REGION: 'state-college' });
  const indices: number[] = [];
  const measure = async (browser: Browser, target: Target, preset: Preset): Promise<Visit[]> => {
    const visits: Visit[] = [];
    while (visits.length < runs) {
      const page = await openPage(browser, target);
      visits.push(await visitBy(page, server.url + target.path, preset));
      await page.close();
    }
    indices.push(...visits.map(({ benchmarkIndex }) => benchmarkIndex));
    return visits;
  };
  const browsers: Browser[] = [];
  const browserOf = async (drawsMaps: boolean) => {
    const browser = await launch(await chromiumLaunch({ drawsMaps, isWhole: true }));
    browsers.push(browser);
    return browser;
  };
  try {
    const [withMaps, withoutMaps] = [await browserOf(true), await browserOf(false)];
    const pages: Row[] = [];
    const add = (target: Target, preset: Preset, visits: readonly Visit[], withoutMap: boolean) => {
      const { name, path } = target;
      const row = { name, path, preset, withoutMap, ...rowOf(visits) };
      pages.push(row);
      say(`${name} ${preset}${withoutMap ? ' without the map' : ''}: ${row.performance}`);
    };
    for (const target of await targetsOn(server.url, names))
      for (const preset of presets) {
        const visits = await measure(withMaps, target, preset);
        add(target, preset, visits, false);
        if (visits.some(({ hasMap }) => hasMap))
          add(target, preset, await measure(withoutMaps, target, preset), true);
      }
    return { pages, benchmarkIndex: median(indices) };
  } finally {
    for (const browser of browsers) await browser.close();
    await server.stop();
    data.remove();
  }
}
