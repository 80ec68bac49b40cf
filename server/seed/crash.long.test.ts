import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '../schema/platform.ts';
import { countDemo } from '../testing/demo-counts.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { seedDemoCommunity } from './seed.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sameway-demo-'));
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-12T20:00:00Z'),
    env: { DEMO: '1', DATA_DIR: dataDir },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a start after a crash in the last moment of the first one begins again and ends with the same', async () => {
  await seedDemoCommunity({ app, say: () => {} });
  await app.deliver();
  const before = await countDemo(app);
  await app.platform.db.update(settings).set({ value: 'begun' }).where(eq(settings.name, 'demo.community'));
  await seedDemoCommunity({ app, say: () => {} });
  await app.deliver();
  expect(await countDemo(app)).toEqual(before);
});
