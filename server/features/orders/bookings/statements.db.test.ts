import { afterAll, beforeAll, expect, test } from 'vitest';
import { countStatements } from '../../../testing/booking-statements.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The most statements of each step, those of its listeners included. */
const most = { publish: 26, request: 23, ask: 48, accept: 52 };

test('a booking of a free ride takes few statements, those of its listeners included', async () => {
  const counted = await countStatements({ ...app, pool: app.serverPool });
  for (const [step, limit] of Object.entries(most)) {
    const { call, after } = counted[step as keyof typeof most];
    expect(call + after, `${step}: ${call} in the call, ${after} after it`).toBeLessThanOrEqual(limit);
  }
});
