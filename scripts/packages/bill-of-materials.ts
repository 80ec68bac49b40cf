import type { LockedPackage } from './locked-packages.ts';

/**
 * Licenses that the app may ship. LGPL: for a library in its own file that is loaded, never bundled. MPL: for
 * single files. CC and OFL: for data and fonts.
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
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** For `A OR B` one license must be allowed, for `A AND B` both. */
export const isAllowedLicense = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => fine.has(each.trim())));

export const troubleWithLicenses = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ license }) => !isAllowedLicense(license))
    .map(({ name, version, license }) =>
      license === ''
        ? `${name} ${version} names no license.`
        : `${name} ${version} has the license ${license}.`,
    );

export interface Bill {
  /** The CycloneDX document, with the project's own name. */
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

/** The bill of materials from npm, limited to the packages that are shipped; null if npm made none. */
export function readBill(output: string, served: readonly LockedPackage[]): Bill | null {
  const bill = parsed(output) as CycloneDx | null;
  if (bill?.bomFormat !== 'CycloneDX') return null;
  const wanted = new Set(served.map(({ name, version }) => `${name}@${version}`));
  // npm names the project after its folder.
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

/** The findings of `npm audit --json`; null if the registry did not answer. */
export function vulnerabilitiesOf(output: string): { high: string[]; lower: number } | null {
  const { vulnerabilities } = (parsed(output) ?? {}) as {
    vulnerabilities?: Record<string, { severity: string }>;
  };
  if (vulnerabilities === undefined) return null;
  const found = Object.entries(vulnerabilities);
  const high = found.filter(([, { severity }]) => ['high', 'critical'].includes(severity));
  return { high: high.map(([name]) => name), lower: found.length - high.length };
}
