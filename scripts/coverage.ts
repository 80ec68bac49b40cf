/**
 * Checks docs/coverage.md: that every file, test, call and route it names is there, that every row names a
 * test, and that no call or route of the specification is left out. Part of `npm run check`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { allEndpoints } from '#contract/all.ts';
import { specifiedCalls, specifiedRoutes } from './contract/specification.ts';
import { checkPage } from './coverage/check-page.ts';
import { readRoutes } from './coverage/routes.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = 'docs/coverage.md';
const router = 'web/app/router.tsx';

function read(file: string): string | null {
  const found = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? '' : fs.readFileSync(path.join(root, file), 'utf8');
}

const problems = checkPage(read(page) ?? '', {
  read,
  calls: new Set(allEndpoints.map(({ method, path: at }) => `${method} ${at}`)),
  routes: readRoutes(router, read(router) ?? ''),
  mustName: [...Object.keys(specifiedCalls), ...specifiedRoutes],
});
for (const problem of problems) process.stderr.write(`${page}: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
