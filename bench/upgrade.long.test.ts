import { expect, test } from 'vitest';
import { benchUpgrade } from './upgrade.ts';

test('replacing two processes of the former release under load fails no call and loses nothing', async () => {
  const { skipped, acknowledged, ...rest } = await benchUpgrade({});
  // The benchmark has printed the reason.
  if (skipped !== undefined) return;
  expect(acknowledged).toBeGreaterThan(500);
  expect(rest).toMatchObject({ refused: 0, lost: 0, doubled: 0, reordered: 0, unfinished: 0 });
});
