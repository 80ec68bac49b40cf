import { defineConfig } from 'vitest/config';

/**
 * A whole server on a database of its own in each file; `server/testing/database.ts` brings the PostgreSQL.
 */
const onDatabase = {
  globalSetup: ['server/testing/database.ts'],
  testTimeout: 120_000,
  hookTimeout: 300_000,
  maxWorkers: 2,
  // The server's modules and the region's roads are loaded once for each worker, not once for each file: half
  // of all the work. A file that changes what others see (environment, spies) puts it back.
  isolate: false,
};

const long = '**/*.long.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{bench,contract,locales,roads,server,scripts,stripe-sandbox}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', long, '**/node_modules/**'],
          testTimeout: 120_000,
          // Some read a whole region first, beside everything else that the machine does.
          hookTimeout: 120_000,
          // Modules are loaded once for each worker: a third of the time.
          isolate: false,
        },
      },
      // What a page works with (its address, its storage, React's hooks) is replaced here, which others must
      // not see.
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'] } },
      { test: { ...onDatabase, name: 'database', include: ['{server,scripts}/**/*.db.test.ts'] } },
      {
        // What takes long, and the larger sizes of tests that `npm test` runs small
        // (`server/testing/size.ts`).
        test: {
          ...onDatabase,
          name: 'long',
          include: [
            long,
            'roads/graph/network.test.ts',
            'server/features/alerts/brute-force.db.test.ts',
            'server/features/orders/bookings/seats.db.test.ts',
            'server/features/matching/engine/engine.test.ts',
            'server/features/matching/matching.db.test.ts',
            'server/features/payments/provider/stripe-sandbox.db.test.ts',
            'server/features/orders/moves.db.test.ts',
            'server/testing/attack/fuzz.db.test.ts',
            'server/testing/attack/scim.db.test.ts',
            'server/testing/histories/histories.db.test.ts',
          ],
          exclude: ['**/node_modules/**'],
          env: { TEST_LONG: '1' },
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
