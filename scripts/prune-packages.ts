// Removes packages from node_modules that only the build of the web app and the tests need: for an image,
// after `npm run build`. Prints how many are left.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** The sources that a server loads, or that an operator runs. */
const servedSources = [
  'contract/**/*.ts',
  'locales/**/*.ts',
  'roads/**/*.ts',
  'stripe-sandbox/**/*.ts',
  'server/**/*.ts',
  'scripts/{admin,backup,restore,region}.ts',
  'scripts/region/**/*.ts',
];
const notServed = /\.test\.ts$|^server\/testing\//;

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

/**
 * The top-level folders of node_modules that a built server can load: the packages that its sources name,
 * with their dependencies. A package counts as named if its name appears anywhere in quotes, so that packages
 * read as files are included.
 */
function servedPackages(root: string): Set<string> {
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
  const manifest = JSON.parse(read('package.json')) as LockedPackage;
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const sources = fs
    .globSync(servedSources, { cwd: root })
    .filter((file) => !notServed.test(file))
    .map(read)
    .join('\n');
  const named = Object.keys(manifest.dependencies ?? {}).filter((name) =>
    new RegExp(`['"\`](node_modules/)?${name.replaceAll('.', String.raw`\.`)}(/[^'"\`]*)?['"\`]`).test(
      sources,
    ),
  );
  const kept = new Set<string>();
  const open = [...named, ...Object.keys(manifest.optionalDependencies ?? {})];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (kept.has(name)) continue;
    kept.add(name);
    // A nested package has its own dependencies.
    const places = Object.entries(packages).filter(
      ([place]) => place === `node_modules/${name}` || place.startsWith(`node_modules/${name}/node_modules/`),
    );
    for (const [, each] of places)
      open.push(
        ...Object.keys({ ...each.dependencies, ...each.optionalDependencies }),
        ...Object.keys(each.peerDependencies ?? {}).filter(
          (peer) => each.peerDependenciesMeta?.[peer]?.optional !== true,
        ),
      );
  }
  return kept;
}
