/**
 * The contract as a file, so that a change of what is promised shows in every review.
 *   npm run contract              writes docs/contract.json
 *   npm run contract -- --check   fails when it does not say what contract/ says
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allEndpoints } from '#contract/all.ts';
import { differences, snapshotOf, type Snapshot } from './contract/snapshot.ts';

const file = path.resolve(import.meta.dirname, '..', 'docs', 'contract.json');
const current = snapshotOf(allEndpoints);

if (process.argv.includes('--check')) {
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Snapshot;
  const found = differences(kept, current);
  for (const each of found) process.stderr.write(`${each}\n`);
  if (found.length > 0) {
    process.stderr.write('docs/contract.json is not up to date. If this is meant: npm run contract\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, `${JSON.stringify(current, null, 2)}\n`);
  process.stdout.write(`docs/contract.json: ${Object.keys(current).length} calls\n`);
}
