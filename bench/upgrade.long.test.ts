import { expect, test } from 'vitest';
import { benchUpgrade } from './upgrade.ts';

test('two processes of the former release are replaced by this one under load, and nothing is refused or lost', async () => {
  const { skipped, acknowledged, ...rest } = await benchUpgrade({});
  // The benchmark has printed the reason.
  if (skipped !== undefined) return;
  expect(acknowledged).toBeGreaterThan(500);
  expect(rest).toMatchObject({ refused: 0, lost: 0, doubled: 0, reordered: 0, unfinished: 0 });
});
