import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countStatements } from '../../../testing/booking-statements.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The most statements of each step, those of its listeners included. */
const most = { publish: 10, request: 10, ask: 14, accept: 18 };

test('a booking of a free ride takes few statements, those of its listeners included', async () => {
  // While another database of the cluster has a transaction open, a look is followed by others that wait.
  await vi.waitFor(
    async () => {
      const counted = await countStatements({ ...app, pool: app.serverPool });
      for (const [step, limit] of Object.entries(most)) {
        const { call, after } = counted[step as keyof typeof most];
        expect(call + after, `${step}: ${call} in the call, ${after} after it`).toBeLessThanOrEqual(limit);
      }
    },
    { timeout: 60_000 },
  );
});
