import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '../schema/house.ts';
import { countDemo } from '../testing/demo-counts.ts';
import { openTestHouse, type TestHouse } from '../testing/house.ts';
import { seedDemoCommunity } from './seed.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sameway-demo-'));
let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse({
    startsAt: new Date('2026-11-12T20:00:00Z'),
    env: { DEMO: '1', DATA_DIR: dataDir },
  });
});
afterAll(async () => {
  await house.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a start after a crash in the last moment of the first one begins again and ends with the same', async () => {
  await seedDemoCommunity({ house, say: () => {} });
  await house.deliver();
  const before = await countDemo(house);
  await house.platform.db.update(settings).set({ value: 'begun' }).where(eq(settings.name, 'demo.community'));
  await seedDemoCommunity({ house, say: () => {} });
  await house.deliver();
  expect(await countDemo(house)).toEqual(before);
});
