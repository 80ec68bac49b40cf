import { expect, test } from 'vitest';
import { benchUpgrade } from './upgrade.ts';
import { walkFormerJourneys } from './upgrade/former-journeys.ts';

test('replacing two processes of the former release under load fails no call and loses nothing', async () => {
  const figures = await benchUpgrade({});
  // The benchmark has printed the reason.
  if ('skipped' in figures) return;
  expect(figures['acknowledged']).toBeGreaterThan(500);
  expect(figures['backfilledRows']).toBeGreaterThan(1000);
  expect(figures).toMatchObject({ refused: 0, lost: 0, doubled: 0, reordered: 0, unfinished: 0 });
});

test('the journeys of the former release pass on its server after this release has migrated the database', async () => {
  const figures = await walkFormerJourneys();
  if ('skipped' in figures) return;
  expect(figures.passed).toBeGreaterThan(2);
  expect(figures.failed).toBe(0);
});
