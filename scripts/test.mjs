// `npm test`: everything from a fresh clone to one last line `N passed, N failed`. Nothing stops early.
// `npm run test:long` (--long): what takes longer than any person waits for, with the same last line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWebApp, ended, install, onNpmGone, projectNode, root, say, StepFailed } from './setup.mjs';

const isLong = process.argv.includes('--long');
const results = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-results-'));
const tool = (...parts) => path.join(root, 'node_modules', ...parts);

const children = new Set();
let interrupted = false;

const browser = {
  name: 'browser',
  prepare: buildWebApp,
  // Pages and databases wait often, for different things: in parallel they leave less of two cores idle.
  isBeside: !isLong,
  args: () => [tool('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json'],
  env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(isLong ? { TEST_LONG: '1' } : {}) }),
  count: ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }),
};

const longParts = [
  { name: 'long', args: (file) => vitest(['long'], file), count: countVitest },
  {
    // Code that asks for a second connection inside a transaction fails.
    name: 'one connection',
    args: (file) => vitest(['database'], file),
    env: () => ({ TEST_POOL_SIZE: '1' }),
    count: countVitest,
  },
  browser,
];

/** The parts in order: what each runs, and how its results file is counted. */
const usualParts = [
  {
    name: 'check',
    args: (file) => [path.join(root, 'scripts', 'check.ts'), '--results', file],
    count: ({ results: checks, skipped }) => ({
      passed: checks.filter(({ passed }) => passed).length,
      failed: checks.filter(({ passed }) => !passed).length,
      skipped: skipped.length,
    }),
  },
  { name: 'unit', args: (file) => vitest(['unit', 'web'], file), count: countVitest },
  { name: 'database', args: (file) => vitest(['database'], file), count: countVitest },
  browser,
];

function vitest(projects, file) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return [
    tool('vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...reporters,
  ];
}

function countVitest({ numPassedTests, numFailedTests, testResults }) {
  // A file that could not even be loaded has no tests that could fail.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

const heading = ({ name }) => say(`\n━━━ ${name} ${'━'.repeat(60 - name.length)}\n`);

/**
 * Starts one part. Buffers its output until its turn comes, then shows it as it comes.
 * @returns `turn`, which begins its turn and waits for its end; a part that breaks off without results counts
 *   as one failure.
 */
function begin(part) {
  const began = Date.now();
  let show = null;
  const kept = [];
  const print = (text) => (show === null ? kept.push(text) : show(text));
  const result = runPart(part, print).catch((error) => {
    print(`${part.name} broke off: ${error.message}\n`);
    return { passed: 0, failed: 1 };
  });
  const timed = result.then((counted) => ({ ...counted, seconds: Math.round((Date.now() - began) / 1000) }));
  return {
    part,
    turn() {
      heading(part);
      show = (text) => process.stdout.write(text);
      for (const text of kept) show(text);
      return timed;
    },
  };
}

/** Runs one part to its end. @throws when it breaks off without results. */
async function runPart({ name, args, env, count }, print) {
  const file = path.join(results, `${name}.json`);
  const child = spawn(projectNode(), ['--disable-warning=ExperimentalWarning', ...args(file)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
      ...env?.(file),
    },
  });
  children.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  const closed = once(child, 'close');
  const { code } = await ended(child);
  // Its last lines; a process that it left behind may hold the pipe for good.
  await Promise.race([closed, sleep(2000)]);
  children.delete(child);
  const counted = count(JSON.parse(fs.readFileSync(file, 'utf8')));
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  return counted;
}

async function test() {
  await install();
  const parts = isLong ? longParts : usualParts;
  const broken = new Set();
  for (const part of parts) {
    await part.prepare?.().catch((error) => {
      process.stderr.write(`${part.name} broke off: ${error.message}\n`);
      broken.add(part);
    });
  }
  const beside = parts.filter((part) => part.isBeside && !broken.has(part)).map(begin);
  const total = { passed: 0, failed: broken.size };
  const summary = [...broken].map(({ name }) => `${name.padEnd(14)} could not begin`);
  for (const part of parts.filter((each) => !broken.has(each))) {
    if (interrupted) throw new StepFailed('The tests were interrupted.', 130);
    const {
      passed,
      failed,
      skipped = 0,
      seconds,
    } = await (beside.find((each) => each.part === part) ?? begin(part)).turn();
    total.passed += passed;
    total.failed += failed;
    const left = skipped === 0 ? '' : `, ${skipped} SKIPPED: what was missing is said above`;
    summary.push(`${part.name.padEnd(14)} ${passed} passed, ${failed} failed${left} (${seconds} s)`);
  }
  say(`\n━━━ all ${'━'.repeat(57)}\n\n${summary.join('\n')}\n`);
  return total;
}

const interrupt = (signal) => {
  interrupted = true;
  for (const child of children) child.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
onNpmGone(() => interrupt('SIGTERM'));

try {
  const { passed, failed } = await test();
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
} finally {
  fs.rmSync(results, { recursive: true, force: true });
}
