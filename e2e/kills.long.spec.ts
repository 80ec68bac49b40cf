import { expect, test } from '@playwright/test';
import { killOften } from './kills.ts';

test('killed three times in the middle of paid rides, the server loses nothing, doubles nothing, and owes nobody', async () => {
  test.setTimeout(1_200_000);
  const { acknowledged, driven, repeated, ...rest } = await killOften(3);
  expect(acknowledged).toBeGreaterThan(10);
  expect(driven).toBeGreaterThan(0);
  expect(repeated).toBeGreaterThan(0);
  expect(rest).toMatchObject({ kills: 3, lost: 0, doubled: 0, ledgerDifferences: 0 });
});
