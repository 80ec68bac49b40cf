// `npm test`: everything from a fresh clone to one last line `N passed, N failed`. Nothing stops early.
// `npm run test:long` (--long): what takes longer than anybody waits for, with the same last line.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildWebApp, ended, install, onNpmGone, projectNode, root, say, StepFailed } from './setup.mjs';

const isLong = process.argv.includes('--long');
const results = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-results-'));
const tool = (...parts) => path.join(root, 'node_modules', ...parts);

let child = null;
let interrupted = false;

const browser = {
  name: 'browser',
  prepare: buildWebApp,
  args: () => [tool('@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json'],
  env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(isLong ? { TEST_LONG: '1' } : {}) }),
  count: ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
  }),
};

const longParts = [{ name: 'long', args: (file) => vitest('long', file), count: countVitest }, browser];

/** The parts in order: what each runs, and how its results file is counted. */
const usualParts = [
  {
    name: 'check',
    args: (file) => [path.join(root, 'scripts', 'check.ts'), '--results', file],
    count: (checks) => ({
      passed: checks.filter(({ passed }) => passed).length,
      failed: checks.filter(({ passed }) => !passed).length,
    }),
  },
  { name: 'unit', args: (file) => vitest('unit', file), count: countVitest },
  { name: 'database', args: (file) => vitest('database', file), count: countVitest },
  browser,
];

function vitest(project, file) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return [tool('vitest', 'vitest.mjs'), 'run', '--project', project, ...reporters];
}

function countVitest({ numPassedTests, numFailedTests, testResults }) {
  // A file that could not even be loaded has no tests that could fail.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((each) => each.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** Runs one part to its end; a part that breaks off without results counts as one failure. */
async function runPart({ name, prepare, args, env, count }) {
  say(`\n━━━ ${name} ${'━'.repeat(60 - name.length)}\n`);
  const file = path.join(results, `${name}.json`);
  try {
    await prepare?.();
    child = spawn(projectNode(), ['--disable-warning=ExperimentalWarning', ...args(file)], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env?.(file) },
    });
    const { code } = await ended(child);
    const counted = count(JSON.parse(fs.readFileSync(file, 'utf8')));
    if (code !== 0 && counted.failed === 0) counted.failed = 1;
    return counted;
  } catch (error) {
    process.stderr.write(`${name} broke off: ${error.message}\n`);
    return { passed: 0, failed: 1 };
  }
}

async function test() {
  await install();
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const part of isLong ? longParts : usualParts) {
    if (interrupted) throw new StepFailed('The tests were interrupted.', 130);
    const began = Date.now();
    const { passed, failed } = await runPart(part);
    total.passed += passed;
    total.failed += failed;
    const seconds = Math.round((Date.now() - began) / 1000);
    summary.push(`${part.name.padEnd(9)} ${passed} passed, ${failed} failed (${seconds} s)`);
  }
  say(`\n━━━ all ${'━'.repeat(57)}\n\n${summary.join('\n')}\n`);
  return total;
}

const interrupt = (signal) => {
  interrupted = true;
  child?.kill(signal);
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
