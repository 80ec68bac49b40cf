import path from 'node:path';
import { expect, test } from 'vitest';
import { vulnerabilitiesOf, isAllowedLicense, readBill, troubleWithLicenses } from './bill-of-materials.ts';
import { lockedPackages } from './locked-packages.ts';

const packages = lockedPackages(path.resolve(import.meta.dirname, '..', '..'));

test('every shipped package has a version, a hash and an allowed license', () => {
  expect(packages.length).toBeGreaterThan(200);
  expect(packages.filter(({ version, integrity }) => version === '' || integrity === '')).toEqual([]);
  expect(troubleWithLicenses(packages)).toEqual([]);
  expect(packages.map(({ name }) => name)).toContain('fastify');
  expect(packages.map(({ name }) => name)).not.toContain('vitest');
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['(MIT AND Zlib)', true],
  ['MIT AND GPL-3.0', false],
  ['AGPL-3.0', false],
  ['UNLICENSED', false],
  ['', false],
])('the license %s: %s', (license, allowed) => expect(isAllowedLicense(license)).toBe(allowed));

test('a bill of materials includes only shipped packages; other output is refused', () => {
  const served = [{ name: 'pg', version: '8.0.0', license: 'MIT', integrity: 'sha512-a', folder: '' }];
  const bill = readBill(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { name: 'a-folder', 'bom-ref': 'own@1' } },
      components: [{ 'bom-ref': 'pg@8.0.0' }, { 'bom-ref': 'tool@1.0.0' }],
      dependencies: [
        { ref: 'own@1', dependsOn: ['pg@8.0.0', 'tool@1.0.0'] },
        { ref: 'tool@1.0.0', dependsOn: ['pg@8.0.0'] },
      ],
    }),
    served,
  );
  expect(bill?.names).toEqual(new Set(['pg@8.0.0']));
  expect(bill?.text).toContain('"sameway"');
  expect(bill?.text).not.toContain('tool');
  for (const other of ['', '{}', 'npm error']) expect(readBill(other, served)).toBeNull();
});

test('vulnerabilities are distinguished from a registry that answers no audit', () => {
  const found = { a: { severity: 'high' }, b: { severity: 'low' }, c: { severity: 'critical' } };
  expect(vulnerabilitiesOf(JSON.stringify({ vulnerabilities: found }))).toEqual({
    high: ['a', 'c'],
    lower: 1,
  });
  expect(vulnerabilitiesOf(JSON.stringify({ vulnerabilities: {} }))).toEqual({ high: [], lower: 0 });
  for (const none of ['', '{"message":"405 Method Not Allowed"}']) expect(vulnerabilitiesOf(none)).toBeNull();
});
