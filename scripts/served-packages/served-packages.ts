import fs from 'node:fs';
import path from 'node:path';

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

/**
 * The top-level folders of node_modules that a built server can load: the packages that its sources name,
 * with their dependencies. A package counts as named if its name appears anywhere in quotes, so that packages
 * read as files are included.
 */
export function servedPackages(root: string): Set<string> {
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
