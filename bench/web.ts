import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { pageAt, pages as pagesOfApp } from '#contract/app/pages.ts';
import { launch, type Browser } from 'puppeteer-core';
import { chromiumLaunch } from '../e2e/chromium.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { apiOf, signIn, type Session } from '../scripts/screens/visit.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { loadLighthouse, type Preset, type Visit } from './web/lighthouse.ts';
import { screensOf } from './web/screens.ts';

const presets: readonly Preset[] = ['mobile', 'desktop'];
const root = path.join(import.meta.dirname, '..');

interface Row extends Omit<Visit, 'hasMap'> {
  name: string;
  path: string;
  preset: Preset;
  /** Search engines may keep it. Of the others Lighthouse does not ask why they may not. */
  isIndexed: boolean;
  /** Measured once more in a browser without WebGL: the difference is the map's own work. */
  withoutMap: boolean;
}

interface Target {
  name: string;
  path: string;
  session: Session;
  isIndexed: boolean;
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
function rowOf(visits: readonly Visit[]): Omit<Row, 'name' | 'path' | 'preset' | 'isIndexed' | 'withoutMap'> {
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
    benchmarkIndex: of(({ benchmarkIndex }) => benchmarkIndex),
    failed: [...new Set(visits.flatMap(({ failed }) => failed))],
  };
}

/** The browsers that pages are measured in; one that has failed is replaced. */
function browsers() {
  const open = new Map<boolean, Browser>();
  const end = async (drawsMaps: boolean) => {
    const browser = open.get(drawsMaps);
    open.delete(drawsMaps);
    // One that has ended already says so.
    await browser?.close().catch(() => undefined);
  };
  return {
    async of(drawsMaps: boolean): Promise<Browser> {
      const browser =
        open.get(drawsMaps) ?? (await launch(await chromiumLaunch({ drawsMaps, isWhole: true })));
      open.set(drawsMaps, browser);
      return browser;
    },
    end,
    endAll: async () => {
      for (const drawsMaps of [true, false]) await end(drawsMaps);
    },
  };
}

const longestVisitMs = 180_000;

/** What `work` comes to; refused where that takes longer than a visit ever does. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Lighthouse did not come to an end.')), longestVisitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
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
    const at = typeof path === 'string' ? path : await path(apiOf(url, session));
    const page = pageAt(new URL(at, url).pathname);
    targets.push({ name, session, path: at, isIndexed: page !== null && pagesOfApp[page] === 'public' });
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
  const opened = browsers();
  const visitOnce = async (drawsMaps: boolean, target: Target, preset: Preset): Promise<Visit> => {
    const page = await openPage(await opened.of(drawsMaps), target);
    const { path, isIndexed } = target;
    const visit = await inTime(visitBy(page, { url: server.url + path, preset, isIndexed }));
    await page.close();
    return visit;
  };
  /** One that fails is made again, in a browser of its own. */
  const visit = async (drawsMaps: boolean, target: Target, preset: Preset): Promise<Visit> => {
    try {
      return await visitOnce(drawsMaps, target, preset);
    } catch (error) {
      say(`${target.name} ${preset}: ${error instanceof Error ? error.message : String(error)} Once more …`);
      await opened.end(drawsMaps);
      return visitOnce(drawsMaps, target, preset);
    }
  };
  const indices: number[] = [];
  const pages: Row[] = [];
  /** @returns whether the page has fetched the map. */
  const measure = async (drawsMaps: boolean, target: Target, preset: Preset): Promise<boolean> => {
    const visits: Visit[] = [];
    while (visits.length < runs) visits.push(await visit(drawsMaps, target, preset));
    indices.push(...visits.map(({ benchmarkIndex }) => benchmarkIndex));
    const { name, path, isIndexed } = target;
    const row = { name, path, preset, isIndexed, withoutMap: !drawsMaps, ...rowOf(visits) };
    pages.push(row);
    say(JSON.stringify(row));
    return visits.some(({ hasMap }) => hasMap);
  };
  try {
    for (const target of await targetsOn(server.url, names))
      for (const preset of presets)
        if (await measure(true, target, preset)) await measure(false, target, preset);
    return { pages, benchmarkIndex: median(indices), load: os.loadavg().map(rounded) };
  } finally {
    await opened.endAll();
    await server.stop();
    data.remove();
  }
}
