import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('every lane and task has a name of its own and runs once by itself', async () => {
  const names = app.scheduler.works.map(({ name }) => name);
  expect(names).toContain('rides');
  expect(names).toContain('reminders');
  expect(new Set(names).size).toBe(names.length);
  for (const { run } of app.scheduler.works) await run();
});
