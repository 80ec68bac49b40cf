import { expect, test } from '@playwright/test';
import { drillRestore } from './restore-drill.ts';

test('an installation lost under load is restored with every acknowledged change, and as of a moment', async () => {
  test.setTimeout(1_200_000);
  const { acknowledged, lines, pointInTimeSeconds, withoutDiskSeconds, ...rest } = await drillRestore();
  expect(acknowledged).toBeGreaterThan(100);
  expect(lines).toBeGreaterThan(10);
  // What the lost disk alone has: the log is archived every five seconds, and the machine is busy.
  expect(withoutDiskSeconds).toBeLessThan(60);
  expect(pointInTimeSeconds).toBeGreaterThanOrEqual(0);
  expect(pointInTimeSeconds).toBeLessThan(5);
  expect(rest).toMatchObject({
    lost: 0,
    doubled: 0,
    ledgerDifferences: 0,
    wrongSeats: 0,
    linesLost: 0,
    linesDoubled: 0,
    linesReordered: 0,
    laterThanPoint: 0,
  });
});
