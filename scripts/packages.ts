/**
 * Checks the packages that the app ships, and writes their bill of materials (CycloneDX) to `dist/sbom.json`:
 * `npm run packages`.
 *   --require-audit   also fails if the registry answers no audit; without it, that is only said
 * Fails on a license that is not on the list of allowed ones, a package without a hash, and a known
 * vulnerability of high severity.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { lockedPackages } from './packages/locked-packages.ts';
import { vulnerabilitiesOf, readBill, troubleWithLicenses } from './packages/bill-of-materials.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Not committed; a CI keeps it with the build. */
const billFile = path.join(root, 'dist', 'sbom.json');

/** Runs the npm that started this script, or else the installed one; null if there is none. */
function npm(args: string[]): { output: string; said: string } | null {
  const own = process.env['npm_execpath'];
  const [command, words] = own?.endsWith('.js') === true ? [process.execPath, [own, ...args]] : ['npm', args];
  const shell = command === 'npm' && process.platform === 'win32';
  const ran = spawnSync(command, words, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000, shell });
  return ran.error === undefined ? { output: ran.stdout, said: ran.stderr } : null;
}

const { values } = parseArgs({ options: { 'require-audit': { type: 'boolean', default: false } } });
const packages = lockedPackages(root);
const troubles = troubleWithLicenses(packages);
for (const { name, version, integrity } of packages)
  if (!integrity.startsWith('sha512-')) troubles.push(`${name} ${version} has no hash in package-lock.json.`);

// Filtered to what is shipped below: with `--omit dev` npm also omits packages that a development tool shares
// with the server.
const made = npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);
if (made === null) console.log('SKIPPED: npm is not installed, so the bill of materials was not made.');
else {
  const bill = readBill(made.output, packages);
  if (bill === null)
    troubles.push(`npm made no bill of materials. ${made.said.trim().split('\n').at(-1) ?? ''}`);
  else {
    const missing = packages.filter(({ name, version }) => !bill.names.has(`${name}@${version}`));
    for (const { name, version } of missing)
      troubles.push(`${name} ${version} is not in the bill of materials.`);
    fs.mkdirSync(path.dirname(billFile), { recursive: true });
    fs.writeFileSync(billFile, bill.text);
    console.log(
      `Bill of materials: CycloneDX ${bill.specVersion}, ${bill.names.size} packages, in dist/sbom.json.`,
    );
  }
}

const audited = npm(['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=8000']);
const vulnerabilities = audited === null ? null : vulnerabilitiesOf(audited.output);
if (vulnerabilities === null) {
  const unanswered = 'the registry does not answer audits, so known vulnerabilities were NOT checked.';
  console.log(`SKIPPED: ${unanswered}`);
  if (values['require-audit']) troubles.push(`--require-audit: ${unanswered}`);
} else {
  console.log(
    `Known vulnerabilities: ${vulnerabilities.high.length} high or critical, ${vulnerabilities.lower} lower.`,
  );
  troubles.push(
    ...vulnerabilities.high.map((name) => `${name} has a known vulnerability of high or critical severity.`),
  );
}

console.log(
  `Licenses: ${packages.length} packages, ${new Set(packages.map(({ license }) => license)).size} licenses.`,
);
for (const trouble of troubles) console.log(trouble);
process.exitCode = troubles.length === 0 ? 0 : 1;
