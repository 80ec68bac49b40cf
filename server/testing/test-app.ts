import type { Pool } from 'pg';
import { pino } from 'pino';
import type { Stripe } from 'stripe';
import { buildApp, type BuiltApp, type AppOptions } from '../app.ts';
import { MovableClock } from '../platform/clock.ts';
import type { DatabaseLimits } from '../platform/database/db.ts';
import { readEnv } from '../platform/env.ts';
import type { Log } from '../platform/observability/log.ts';
import { loadRegion, type LoadedRegion } from '../features/geo/region.ts';
import { testCacheFolder } from './cache-folder.ts';
import { callingApp, type CallingApp } from './calling-app.ts';
import { openTestDatabase } from './database.ts';

export type { TestPerson } from './people.ts';

export interface TestApp extends CallingApp {
  /** The server's own pool; `pool` is the test's. */
  serverPool: Pool;
  /** Stops the server for this time: nothing happens meanwhile, and the next tick finds that it was away. */
  beAway(milliseconds: number): Promise<void>;
  /** Another process of the same installation, at the same time. */
  openPeer(): Promise<BuiltApp>;
  close(): Promise<void>;
}

/** The real region, loaded once per test file; its road cache is shared by all of them. */
export const testRegion = loadRegion({
  env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder },
});

/** A whole server on a database of its own; its clock shows `startsAt` until the test moves it. */
export async function openTestApp(
  options: {
    startsAt?: Date;
    env?: Record<string, string>;
    withLive?: boolean;
    cardClient?: Stripe.HttpClient;
    region?: LoadedRegion;
    clock?: MovableClock;
    limits?: Partial<DatabaseLimits>;
    poolerPort?: number;
  } = {},
): Promise<TestApp> {
  const { pool, own, drop } = await openTestDatabase(options.limits, options.poolerPort);
  const clock = options.clock ?? new MovableClock();
  if (options.startsAt !== undefined) clock.moveTo(options.startsAt);
  const log: Log = pino({ level: 'silent' });
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...options.env });
  // Changes only when a test stops the server: the time that a test takes is no outage.
  let wallMs = Date.now();
  const built: AppOptions = {
    env,
    log,
    clock,
    pool,
    region: options.region ?? (await testRegion),
    wallMs: () => wallMs,
    withRealtime: options.withLive ?? false,
    cardClient: options.cardClient,
  };
  const app = await buildApp(built);
  await app.http.ready();
  const peers: BuiltApp[] = [];

  return {
    ...callingApp(app, clock, own),
    serverPool: pool,
    async beAway(milliseconds) {
      await app.platform.uptime.beat();
      wallMs += milliseconds;
      clock.advance(milliseconds);
    },
    async openPeer() {
      const peer = await buildApp(built);
      await peer.http.ready();
      peers.push(peer);
      return peer;
    },
    async close() {
      for (const peer of peers) await peer.http.close();
      await app.http.close();
      await drop();
    },
  };
}
