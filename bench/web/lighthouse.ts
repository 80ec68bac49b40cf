import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { say } from '../bench-app.ts';
import { blockedByProcessorMs } from './processor-time.ts';

/*
 * Lighthouse and the 113 packages it needs are 176 MB: they are installed when this benchmark is run first,
 * from a lock file of their own, and into a folder that the next install of the project takes away.
 */

const pinned = path.join(import.meta.dirname, 'lighthouse');
const folder = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'sameway-lighthouse');

export type Preset = 'mobile' | 'desktop';
type Lighthouse = (url: string, flags: object, config: object | undefined, page: Page) => Promise<unknown>;

function install(): void {
  const lockFile = fs.readFileSync(path.join(pinned, 'package-lock.json'), 'utf8');
  const stamp = path.join(folder, 'installed-from.json');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lockFile) return;
  say('Lighthouse is installed for this benchmark: 176 MB, about half a minute, once …');
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(pinned, name), path.join(folder, name));
  const npm = process.env['npm_execpath'];
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...words]] : ['npm', words];
  const { status } = spawnSync(command, args, {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error(
      'Lighthouse could not be installed. It comes from the npm registry: try again with a connection to it.',
    );
  fs.writeFileSync(stamp, lockFile);
}

const score = z.object({
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const result = z.object({
  artifacts: z.object({ Trace: z.unknown() }),
  lhr: z.object({
    runtimeError: z.object({ message: z.string() }).optional(),
    environment: z.object({ benchmarkIndex: z.number() }),
    configSettings: z.object({ throttling: z.object({ cpuSlowdownMultiplier: z.number() }) }),
    categories: z.object({
      performance: score,
      accessibility: score,
      'best-practices': score,
      seo: score,
    }),
    audits: z.record(
      z.string(),
      z.object({
        score: z.number().nullable(),
        numericValue: z.number().optional(),
        details: z.object({ items: z.unknown().optional() }).optional(),
      }),
    ),
  }),
});
const blockedTime = 'total-blocking-time';
const request = z.object({ transferSize: z.number().optional() });

/** The results of one visit by Lighthouse. */
export interface Visit {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  lcpMs: number;
  tbtMs: number;
  /** The blocked time by the processor time of tasks, and the performance with it instead of `tbtMs`. */
  tbtProcessorMs: number;
  performanceByProcessor: number;
  cls: number;
  bytes: number;
  requests: number;
  benchmarkIndex: number;
  /** Audits of accessibility, best practices and SEO that are not passed. */
  failed: string[];
}

/** @throws Error when Lighthouse could not load the page. */
function read(answer: unknown, scoreOfBlocked: (ms: number) => number): Visit {
  const { lhr, artifacts } = result.parse(answer);
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
  const { categories, audits, configSettings } = lhr;
  const tbtProcessorMs = blockedByProcessorMs(
    artifacts.Trace,
    configSettings.throttling.cpuSlowdownMultiplier,
  );
  const scoreOf = (id: string) =>
    id === blockedTime ? scoreOfBlocked(tbtProcessorMs) : (audits[id]?.score ?? 0);
  const weighted = categories.performance.auditRefs.filter(({ weight }) => weight > 0);
  const sum = (of: (audit: { id: string; weight: number }) => number) =>
    weighted.reduce((total, audit) => total + of(audit), 0);
  const byProcessor = sum(({ id, weight }) => weight * scoreOf(id)) / sum(({ weight }) => weight);
  const points = ({ score }: { score: number | null }) => Math.round((score ?? 0) * 100);
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const requests = z.array(request).parse(audits['network-requests']?.details?.items);
  const judged = [categories.accessibility, categories['best-practices'], categories.seo];
  return {
    performance: points(categories.performance),
    accessibility: points(categories.accessibility),
    bestPractices: points(categories['best-practices']),
    seo: points(categories.seo),
    lcpMs: figure('largest-contentful-paint'),
    tbtMs: figure(blockedTime),
    tbtProcessorMs,
    performanceByProcessor: Math.round(byProcessor * 100),
    cls: figure('cumulative-layout-shift'),
    bytes: requests.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    requests: requests.length,
    benchmarkIndex: lhr.environment.benchmarkIndex,
    failed: judged
      .flatMap(({ auditRefs }) => auditRefs)
      .map(({ id }) => id)
      .filter((id) => (audits[id]?.score ?? 1) < 1),
  };
}

/** Where a visit leads, as what, and whether search engines may keep the page. */
export interface VisitAsk {
  url: string;
  preset: Preset;
  isIndexed: boolean;
}

/** Lighthouse as it is pinned here; a visit loads a page in a new browser, with an empty cache. */
export async function loadLighthouse(): Promise<(page: Page, ask: VisitAsk) => Promise<Visit>> {
  install();
  const part = (...names: string[]): Promise<unknown> =>
    import(pathToFileURL(path.join(folder, 'node_modules', 'lighthouse', ...names)).href);
  const { default: lighthouse, desktopConfig } = (await part('core', 'index.js')) as {
    default: Lighthouse;
    desktopConfig: object;
  };
  const { default: blocked } = (await part('core', 'audits', 'metrics', `${blockedTime}.js`)) as {
    default: { defaultOptions: Record<Preset, { scoring: object }> };
  };
  const { getLogNormalScore } = (await part('shared', 'statistics.js')) as {
    getLogNormalScore: (curve: object, value: number) => number;
  };
  return async (page, { url, preset, isIndexed }) =>
    read(
      await lighthouse(
        url,
        {
          logLevel: 'error',
          output: 'json',
          // Private pages are hidden from search engines on purpose.
          skipAudits: isIndexed ? [] : ['is-crawlable'],
        },
        preset === 'desktop' ? desktopConfig : undefined,
        page,
      ),
      (ms) => getLogNormalScore(blocked.defaultOptions[preset].scoring, ms),
    );
}
