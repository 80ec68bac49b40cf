/**
 * The contract as files: one that shows a change of what is promised in every review, one to read, one that
 * says who may.
 *   npm run contract              writes docs/contract.json, docs/calls.md and docs/roles.md
 *   npm run contract -- --check   fails when they do not say what contract/ says
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allEndpoints } from '#contract/all.ts';
import { accessRows } from '../server/testing/access-rows.ts';
import { rolesPage } from '../server/testing/role-table.ts';
import { callsPage } from './contract/calls-page.ts';
import { differences, snapshot, snapshotOf } from './contract/snapshot.ts';

const docs = path.resolve(import.meta.dirname, '..', 'docs');
const file = path.join(docs, 'contract.json');
const pages = {
  'calls.md': callsPage(allEndpoints),
  'roles.md': rolesPage(allEndpoints, accessRows),
};
const current = snapshotOf(allEndpoints);

if (process.argv.includes('--check')) {
  const kept = snapshot.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  const found = differences(kept, current);
  for (const each of found) process.stderr.write(`${each}\n`);
  const stale = found.length > 0 ? ['docs/contract.json'] : [];
  for (const [name, text] of Object.entries(pages))
    if ((await readFile(path.join(docs, name), 'utf8').catch(() => '')) !== text) stale.push(`docs/${name}`);
  if (stale.length > 0) {
    process.stderr.write(`${stale.join(' and ')} not up to date. If this is meant: npm run contract\n`);
    process.exitCode = 1;
  }
} else {
  await writeFile(file, `${JSON.stringify(current, null, 2)}\n`);
  for (const [name, text] of Object.entries(pages)) await writeFile(path.join(docs, name), text);
  process.stdout.write(
    `docs/contract.json, docs/calls.md, docs/roles.md: ${Object.keys(current).length} calls\n`,
  );
}
