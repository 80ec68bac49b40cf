/**
 * The contract as pages: one to read that also shows a change of what is promised in every review, and one
 * that says who may.
 *   npm run contract              writes docs/calls.md and docs/roles.md
 *   npm run contract -- --check   fails when they do not say what contract/ says
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { allEndpoints } from '#contract/all.ts';
import { accessRows } from '../server/testing/access-rows.ts';
import { rolesPage } from '../server/testing/role-table.ts';
import { callsPage } from './contract/calls-page.ts';
import { differences } from './contract/differences.ts';
import { exportedSchemas } from './contract/exported-schemas.ts';

const docs = path.resolve(import.meta.dirname, '..', 'docs');
const pages = {
  'calls.md': callsPage(allEndpoints, await exportedSchemas()),
  'roles.md': rolesPage(allEndpoints, accessRows),
};

if (process.argv.includes('--check')) {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(pages)) {
    const kept = await readFile(path.join(docs, name), 'utf8').catch(() => '');
    if (kept === text) continue;
    stale.push(`docs/${name}`);
    for (const each of differences(kept, text)) process.stderr.write(`${each}\n`);
  }
  if (stale.length > 0) {
    process.stderr.write(`${stale.join(' and ')} not up to date. If this is meant: npm run contract\n`);
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of Object.entries(pages)) await writeFile(path.join(docs, name), text);
  process.stdout.write(`docs/calls.md, docs/roles.md: ${allEndpoints.length} calls\n`);
}
