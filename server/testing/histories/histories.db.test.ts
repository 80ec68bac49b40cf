import { assert, asyncProperty } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fickleClient } from '../fickle-client.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { sized } from '../size.ts';
import { StandingClock } from '../fixed-clock.ts';
import { histories, playHistory } from './play.ts';
import { historyEnv, openHistoryContext, type HistoryContext, type Setting } from './history-context.ts';
import { reconcile } from '../../features/payments/reconciliation/reconcile.ts';

// HISTORIES_SEED=… HISTORIES=… plays others than the usual ones.
const seed = Number(process.env['HISTORIES_SEED'] ?? 1);
const numRuns = Number(process.env['HISTORIES'] ?? sized(6, 400));

const { client, trouble } = fickleClient();
const clock = new StandingClock(new Date('2026-03-02T08:00:00Z'));
let app: TestApp;
let setting: Setting;
let context: HistoryContext;
beforeAll(async () => {
  app = await openTestApp({ env: historyEnv, cardClient: client, clock });
  setting = { apps: [app, await app.openPeer()], clock, trouble, beAway: app.beAway };
  context = await openHistoryContext(setting);
});
afterAll(() => app.close());

test(
  'whatever two drivers and five passengers do, seats, money and states hold, and nothing is stuck',
  async () => {
    await assert(
      asyncProperty(histories, async (steps) => {
        try {
          await playHistory(context, steps);
        } catch (error) {
          // The rest of a broken history must not break the shorter ones that are tried now.
          trouble.is = 'none';
          context = await openHistoryContext(setting);
          throw error;
        }
      }),
      { seed, numRuns, interruptAfterTimeLimit: sized(600_000, 3_600_000) },
    );
    expect((await reconcile(app.platform, new Date(0))).differences).toEqual([]);
  },
  sized(900_000, 4_000_000),
);
