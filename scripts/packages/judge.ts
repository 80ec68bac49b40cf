import type { LockedPackage } from './locked-packages.ts';

/**
 * Licenses under which a package may be a part of what is served. LGPL: a library of its own file that is
 * loaded, never built in. MPL: by file. CC and OFL: data and fonts.
 */
const fine = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC BY 4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Of `A OR B` one must be fine, of `A AND B` each. */
export const isFine = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => fine.has(each.trim())));

export const troubleWithLicenses = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ license }) => !isFine(license))
    .map(({ name, version, license }) =>
      license === ''
        ? `${name} ${version} names no license.`
        : `${name} ${version} has the license ${license}.`,
    );

export interface Bill {
  /** As CycloneDX writes it, with the project's own name. */
  text: string;
  specVersion: string;
  /** `name@version` of each package. */
  names: Set<string>;
}

interface CycloneDx {
  bomFormat?: string;
  specVersion: string;
  metadata: { component: { name: string; 'bom-ref': string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * The bill of materials that npm has made, without what does not serve; null where it made none.
 */
export function readBill(output: string, served: readonly LockedPackage[]): Bill | null {
  const bill = parsed(output) as CycloneDx | null;
  if (bill?.bomFormat !== 'CycloneDX') return null;
  const wanted = new Set(served.map(({ name, version }) => `${name}@${version}`));
  // npm calls the project by its folder.
  bill.metadata.component.name = 'sameway';
  bill.components = bill.components.filter((each) => wanted.has(each['bom-ref']));
  const own = bill.metadata.component['bom-ref'];
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => ref === own || wanted.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => wanted.has(each)) }));
  const names = new Set(bill.components.map((each) => each['bom-ref']));
  return { text: `${JSON.stringify(bill, null, 2)}\n`, specVersion: bill.specVersion, names };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** What `npm audit --json` found; null where the registry did not answer. */
export function holesOf(output: string): { high: string[]; lower: number } | null {
  const { vulnerabilities } = (parsed(output) ?? {}) as {
    vulnerabilities?: Record<string, { severity: string }>;
  };
  if (vulnerabilities === undefined) return null;
  const found = Object.entries(vulnerabilities);
  const high = found.filter(([, { severity }]) => ['high', 'critical'].includes(severity));
  return { high: high.map(([name]) => name), lower: found.length - high.length };
}
