// Removes packages from node_modules that only the build of the web app and the tests need: for an image,
// after `npm run build`. Prints how many are left.
import fs from 'node:fs';
import path from 'node:path';
import { servedPackages } from './served-packages/served-packages.ts';

const root = path.resolve(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');

const kept = servedPackages(root);
const folders = fs.globSync(['*', '@*/*'], { cwd: modules }).filter((name) => !/^@[^/]+$/.test(name));
let removed = 0;
for (const name of folders) {
  if (name.startsWith('.') || kept.has(name)) continue;
  fs.rmSync(path.join(modules, name), { recursive: true });
  removed++;
}
// npm also installs Node's headers and manuals, and packages for the other C library.
const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
const otherLibrary = header.glibcVersionRuntime === undefined ? 'gnu' : 'musl';
const spare = ['node-*/{include,share}', `@*/*linux*${otherLibrary}*`];
for (const part of fs.globSync(spare, { cwd: modules }))
  fs.rmSync(path.join(modules, part), { recursive: true });
console.log(`Kept ${folders.length - removed} packages, removed ${removed}.`);
