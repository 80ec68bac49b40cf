/**
 * `npm run check`: everything that can be said of the code without running it. All checks run, whatever
 * fails.
 *   --results FILE   also writes { results: [{ name, passed }], skipped: [sentence] } as JSON
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const tool = (name: string) => path.join('node_modules', name);

/**
 * Each further checker reads all types of the libraries again: one takes a third of the work that four take.
 */
const once = ['--checkers', '1'];

const checks: { name: string; args: string[]; isShown?: boolean }[] = [
  { name: 'types of the server', args: [tool('typescript/bin/tsc'), '-p', '.', ...once] },
  { name: 'types of the web app', args: [tool('typescript/bin/tsc'), '-p', 'web', ...once] },
  { name: 'types of the journeys', args: [tool('typescript/bin/tsc'), '-p', 'e2e', ...once] },
  {
    name: 'types of the service worker',
    args: [tool('typescript/bin/tsc'), '-p', 'web/service-worker', ...once],
  },
  { name: 'lint', args: [tool('oxlint/bin/oxlint'), '--type-aware', '--threads=1'] },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', '.'] },
  // Their counts are worth reading even where nothing has grown.
  { name: 'directions', args: ['scripts/directions.ts'], isShown: true },
  { name: 'sizes and owners', args: ['scripts/sizes.ts'], isShown: true },
  { name: 'dead code', args: [tool('knip/bin/knip.js'), '--no-progress'] },
  { name: 'packages', args: ['scripts/packages.ts'], isShown: true },
  { name: 'calls and roles', args: ['scripts/contract.ts', '--check'] },
  { name: 'coverage of the specification', args: ['scripts/coverage.ts'] },
  { name: 'words of the interface and of comments', args: ['scripts/words.ts'], isShown: true },
  // Builds the web app where it has changed since the last build.
  { name: 'first load', args: ['scripts/run.mjs', '--build', 'scripts/first-load.ts'], isShown: true },
];

/** Runs a tool with this Node; what it says is shown only when it fails. */
function run(args: readonly string[]): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
}

const { values } = parseArgs({ options: { results: { type: 'string' } } });
const results: { name: string; passed: boolean }[] = [];
/** The parts that a check left out, because something was missing. */
const skipped: string[] = [];
for (const { name, args, isShown = false } of checks) {
  const began = performance.now();
  const { passed, output } = await run(args);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${passed ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  if (!passed || isShown) process.stdout.write(`${output.trimEnd().replaceAll(/^/gm, '    ')}\n`);
  results.push({ name, passed });
  skipped.push(...(output.match(/^SKIPPED: .*/gm) ?? []).map((line) => `${name}: ${line}`));
}
if (values.results !== undefined) await writeFile(values.results, JSON.stringify({ results, skipped }));
for (const line of skipped) process.stdout.write(`${line}\n`);
const failed = results.filter(({ passed }) => !passed);
process.stdout.write(
  failed.length === 0
    ? `All ${results.length} checks passed.\n`
    : `${failed.length} of ${results.length} checks failed: ${failed.map(({ name }) => name).join(', ')}.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
