import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type Browser, type Viewport } from 'puppeteer-core';
import { pageAt, pages as pagesOfApp } from '#contract/app/pages.ts';
import { chromiumLaunch } from '../e2e/chromium.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { isInstalled, openCaddyWithTls } from '../scripts/deploy/local-proxy.ts';
import { scenes } from '../scripts/screens/scenes.ts';
import { apiOf, signIn, type Session, type Visitor } from '../scripts/screens/visit.ts';
import { freePort } from '../server/testing/server-process.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { loadLighthouse, type Preset, type Visit } from './web/lighthouse.ts';

const presets: readonly Preset[] = ['mobile', 'desktop'];
const root = path.join(import.meta.dirname, '..');

interface Row extends Visit {
  name: string;
  path: string;
  preset: Preset;
  /** Search engines may keep it. Of the others Lighthouse does not ask why they may not. */
  isIndexed: boolean;
  /** The page draws a map and was measured without it: its other row shows the map's own work. */
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
    tbtProcessorMs: Math.round(of(({ tbtProcessorMs }) => tbtProcessorMs)),
    performanceByProcessor: of(({ performanceByProcessor }) => performanceByProcessor),
    cls: rounded(of(({ cls }) => cls * 10)) / 10,
    bytes: of(({ bytes }) => bytes),
    requests: of(({ requests }) => requests),
    benchmarkIndex: of(({ benchmarkIndex }) => benchmarkIndex),
    failed: [...new Set(visits.flatMap(({ failed }) => failed))],
  };
}

/** A browser that takes the certificate of the proxy on this machine. */
async function launchFor(drawsMaps: boolean): Promise<Browser> {
  const { executablePath, args } = await chromiumLaunch({ drawsMaps, isWhole: true });
  return launch({ executablePath, args: [...args, '--ignore-certificate-errors'] });
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
      const browser = open.get(drawsMaps) ?? (await launchFor(drawsMaps));
      open.set(drawsMaps, browser);
      return browser;
    },
    end,
    endAll: async () => {
      for (const drawsMaps of [true, false]) await end(drawsMaps);
    },
  };
}

const restStepMs = 500;
const longestRestMs = 15_000;
/** So much of all cores may be in use when a visit begins. */
const mostBusyShare = 0.08;

/** The time that all cores have been idle, and all their time, in milliseconds. */
function coreTimes(): { idle: number; all: number } {
  const times = os.cpus().map((core) => core.times);
  const sum = (of: (core: (typeof times)[number]) => number) =>
    times.reduce((total, each) => total + of(each), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum((core) => Object.values(core).reduce((a, b) => a + b, 0)),
  };
}

/** Waits until what the last visit or the start of the server left to do is done. */
async function machineAtRest(): Promise<void> {
  for (let waited = 0; waited < longestRestMs; waited += restStepMs) {
    const before = coreTimes();
    await sleep(restStepMs);
    const after = coreTimes();
    if (1 - (after.idle - before.idle) / (after.all - before.all) < mostBusyShare) return;
  }
}

const longestVisitMs = 180_000;

/** The result of `work`; refused where that takes longer than a visit ever does. */
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

/** The demo, as people open it at `url`. */
interface Installation {
  url: string;
  /** Where this process calls it, past the proxy. */
  direct: string;
  protocol: 'h2' | 'http/1.1';
  stop: () => Promise<void>;
}

/**
 * The demo behind Caddy as an installation has it, over TLS and HTTP/2. Where Caddy is not installed, the
 * demo itself over HTTP/1.1, where loading six files at a time costs a phone up to a second.
 */
async function openDemo(): Promise<Installation> {
  const data = newDataFolder();
  const settings = { REGION: 'state-college' };
  if (!isInstalled('caddy')) {
    say('Caddy is not installed (Debian: caddy): pages come over HTTP/1.1, not as people get them.');
    const server = await startServer(data.folder, settings);
    const stop = () => server.stop().finally(data.remove);
    return { url: server.url, direct: server.url, protocol: 'http/1.1', stop };
  }
  const [port, serverPort] = [await freePort(), await freePort()];
  const url = `https://localhost:${port}`;
  const behind = { PORT: String(serverPort), PUBLIC_URL: url, TRUST_PROXY: '1' };
  const server = await startServer(data.folder, { ...settings, ...behind });
  const stopCaddy = await openCaddyWithTls(data.folder, port, serverPort);
  const stop = async () => {
    await stopCaddy();
    await server.stop();
    data.remove();
  };
  return { url, direct: `http://127.0.0.1:${serverPort}`, protocol: 'h2', stop };
}

const sizes = {
  mobile: { width: 412, height: 823, isMobile: true, hasTouch: true },
  desktop: { width: 1350, height: 940 },
} as const satisfies Record<Preset, Viewport>;

/** Whether a page draws a map when it is opened. */
async function fetchesMap(browser: Browser, url: string, target: Target, preset: Preset): Promise<boolean> {
  const page = await openPage(browser, target);
  let hasMap = false;
  page.on('request', (request) => {
    hasMap ||= request.url().includes('/assets/map-canvas');
  });
  await page.setViewport(sizes[preset]);
  await page.goto(url + target.path, { waitUntil: 'networkidle2' });
  await page.close();
  return hasMap;
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
 * Lighthouse on ten screens of the demo, on a simulated phone and on a desktop, in a browser without WebGL;
 * pages with a map once more with it. On a machine without a graphics card, a browser with WebGL draws all
 * of a page in software, which shares the cores with the page's own work.
 * @param options.runs visits of which the median counts; `only` names screens, separated by commas.
 */
export async function benchWeb(options: Record<string, string>): Promise<Record<string, unknown>> {
  const runs = Number(options['runs'] ?? 3);
  const names = options['only']?.split(',') ?? [];
  const visitBy = await loadLighthouse();
  buildWebApp();
  const opened = browsers();
  for (const drawsMaps of [true, false]) await opened.of(drawsMaps);
  // The server would be another machine.
  const serverWorks = leaveProcessorsToBrowsers();
  const demo = await openDemo();
  const visitOnce = async (drawsMaps: boolean, target: Target, preset: Preset): Promise<Visit> => {
    const page = await openPage(await opened.of(drawsMaps), target);
    await machineAtRest();
    const { path, isIndexed } = target;
    const visit = await inTime(visitBy(page, { url: demo.url + path, preset, isIndexed }));
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
  const visited = new Set<boolean>();
  const indices: number[] = [];
  const pages: Row[] = [];
  const measure = async (drawsMaps: boolean, target: Target, preset: Preset, withoutMap: boolean) => {
    const visits: Visit[] = [];
    // Not counted: a browser that has just started is still at work of its own, and so is the server.
    if (!visited.has(drawsMaps)) await visit(drawsMaps, target, preset);
    visited.add(drawsMaps);
    while (visits.length < runs) visits.push(await visit(drawsMaps, target, preset));
    indices.push(...visits.map(({ benchmarkIndex }) => benchmarkIndex));
    const { name, path, isIndexed } = target;
    const row = { name, path, preset, isIndexed, withoutMap, ...rowOf(visits) };
    pages.push(row);
    say(JSON.stringify(row));
  };
  try {
    for (const target of await targetsOn(demo.direct, names))
      for (const preset of presets) {
        const hasMap = await fetchesMap(await opened.of(true), demo.url, target, preset);
        await measure(false, target, preset, hasMap);
        if (hasMap) await measure(true, target, preset, false);
      }
    const { protocol } = demo;
    const load = os.loadavg().map(rounded);
    return { pages, protocol, serverWorks, benchmarkIndex: median(indices), load };
  } finally {
    await opened.endAll();
    await demo.stop();
  }
}

/**
 * Leaves the processors to the browsers that are open already: this process and all that it starts from now
 * on work only where a processor is free. Linux places a thread that wakes up on a processor with nothing but
 * such idle work as if that were free; with a low priority alone it may queue behind another thread of the
 * browser instead.
 * @returns how: `idle`, or `low priority` where the machine has no `chrt` (Debian: util-linux)
 */
function leaveProcessorsToBrowsers(): 'idle' | 'low priority' {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { status } = spawnSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)], {
    stdio: 'ignore',
  });
  return status === 0 ? 'idle' : 'low priority';
}

/** The ten screens that are measured: the name, the visitor, and the scene of `npm run screens`. */
const measured: readonly [name: string, as: Visitor, scene: string][] = [
  ['intro', 'guest', 'intro'],
  ['home', 'guest', 'guest-home'],
  ['matches', 'passenger', 'matches'],
  ['detail', 'passenger', 'detail-joined'],
  ['chat', 'passenger', 'chat'],
  ['events', 'guest', 'events'],
  ['discover', 'passenger', 'discover'],
  ['account', 'passenger', 'account'],
  ['payments', 'passenger', 'payments'],
  ['statistics', 'admin', 'admin-statistics'],
];

/** The screens of these names, all where none is named. @throws Error for a name that is none of theirs. */
function screensOf(names: readonly string[]) {
  const unknown = names.filter((name) => !measured.some(([each]) => each === name));
  if (unknown.length > 0)
    throw new Error(`Screens are ${measured.map(([name]) => name).join(', ')}; not ${unknown.join(', ')}.`);
  return measured
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, as, sceneName]) => {
      const { path } = scenes.find((each) => each.name === sceneName)!;
      return { name, as, path };
    });
}
