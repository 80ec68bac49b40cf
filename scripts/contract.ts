/**
 * The contract as two files: one that shows a change of what is promised in every review, one to read.
 *   npm run contract              writes docs/contract.json and docs/calls.md
 *   npm run contract -- --check   fails when they do not say what contract/ says
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allEndpoints } from '#contract/all.ts';
import { callsPage } from './contract/calls-page.ts';
import { differences, snapshot, snapshotOf } from './contract/snapshot.ts';

const docs = path.resolve(import.meta.dirname, '..', 'docs');
const file = path.join(docs, 'contract.json');
const page = path.join(docs, 'calls.md');
const current = snapshotOf(allEndpoints);

if (process.argv.includes('--check')) {
  const kept = snapshot.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  const found = differences(kept, current);
  for (const each of found) process.stderr.write(`${each}\n`);
  const isPageStale = (await readFile(page, 'utf8').catch(() => '')) !== callsPage(allEndpoints);
  const stale = [found.length > 0 && 'docs/contract.json', isPageStale && 'docs/calls.md'].filter(Boolean);
  if (stale.length > 0) {
    process.stderr.write(`${stale.join(' and ')} not up to date. If this is meant: npm run contract\n`);
    process.exitCode = 1;
  }
} else {
  await writeFile(file, `${JSON.stringify(current, null, 2)}\n`);
  await writeFile(page, callsPage(allEndpoints));
  process.stdout.write(`docs/contract.json, docs/calls.md: ${Object.keys(current).length} calls\n`);
}
