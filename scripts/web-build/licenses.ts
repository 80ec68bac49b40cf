import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { lockedPackages, type LockedPackage } from '../packages/locked-packages.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const moduleName = 'virtual:licenses';

/**
 * Provides the packages of this app and their licenses as a module, and writes `licenses.txt` with the text
 * of each license.
 */
export function licenses(): Plugin {
  return {
    name: 'sameway-licenses',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : null),
    load(id) {
      if (id !== `\0${moduleName}`) return null;
      const list = lockedPackages(root).map(({ name, version, license }) => [name, version, license]);
      return `export const packages = ${JSON.stringify(list)};`;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: textsOf(lockedPackages(root)) });
    },
  };
}

/** Packages for other platforms are not installed; for these it names only the license. */
function textsOf(packages: readonly LockedPackage[]): string {
  const rule = `\n\n${'-'.repeat(78)}\n\n`;
  return packages
    .map(({ name, version, license, folder }) => {
      const place = path.join(root, folder);
      const files = fs.existsSync(place)
        ? fs.readdirSync(place).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
        : [];
      const texts = files
        .map((file) => path.join(place, file))
        .filter((file) => fs.statSync(file).isFile())
        .map((file) => fs.readFileSync(file, 'utf8').trim());
      return [`${name} ${version}\n${license}`, ...texts].join('\n\n');
    })
    .join(rule)
    .concat('\n');
}
