// Plays the chunks of histories that its parent sends, each on a database and in an app of its own.
import { randomUUID } from 'node:crypto';
import { asyncProperty, check } from 'fast-check';
import { pino } from 'pino';
import { z } from 'zod';
import { buildApp, type AppOptions } from '../../server/app.ts';
import { openPool, type PoolConfig } from '../../server/platform/database/db.ts';
import { readEnv } from '../../server/platform/env.ts';
import { PreparedStatementsClient } from '../../server/platform/database/prepared-statements.ts';
import { loadRegion } from '../../server/features/geo/region.ts';
import { fickleClient } from '../../server/testing/fickle-client.ts';
import { histories, playHistory, type Played } from '../../server/testing/histories/play.ts';
import {
  historyEnv,
  openHistoryContext,
  type HistoryContext,
} from '../../server/testing/histories/history-context.ts';
import { StandingClock } from '../../server/testing/fixed-clock.ts';
import { reconcile } from '../../server/features/payments/reconciliation/reconcile.ts';

/** Histories of consecutive seeds. */
export interface Chunk {
  firstSeed: number;
  count: number;
}

/** The outcome of one history. */
export interface Told {
  seed: number;
  played: Played | null;
  /** The violation, and how it came about. */
  trace: string | null;
  isLast: boolean;
}

/**
 * Listeners that only tell people of seats and money, and change none: two deliveries of three. `npm test`
 * plays with them.
 */
const onlyTell = ['chat', 'room lines', 'notices', 'news', 'contacts', 'alerts', 'plans', 'commutes'];

/** A history that takes longer never ends. */
const endsWithinMs = 300_000;

const { connection, template, folder } = z
  .object({
    connection: z.custom<PoolConfig>((each) => typeof each === 'object' && each !== null),
    template: z.string(),
    folder: z.string(),
  })
  .parse(JSON.parse(process.argv[2]!));
const env = readEnv({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATA_DIR: folder,
  REGION: 'santa-cruz',
  ...historyEnv,
});
const region = await loadRegion({ env });
const log = pino({ level: 'silent' });
// Databases are dropped while idle connections to them remain.
const admin = openPool({ ...connection, max: 1 }, () => undefined);

/** Has `work` done on a context of its own. */
async function onStage<T>(work: (context: HistoryContext) => Promise<T>): Promise<T> {
  const name = `histories_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name} template ${template}`);
  const pool = openPool({ ...connection, database: name, Client: PreparedStatementsClient }, () => undefined);
  const { client, trouble } = fickleClient();
  const clock = new StandingClock(new Date('2026-03-02T08:00:00Z'));
  // Moves only while the server is away: the time that a history takes is no outage.
  let wallMs = Date.now();
  const built: AppOptions = {
    env,
    log,
    clock,
    pool,
    region,
    wallMs: () => wallMs,
    withRealtime: false,
    cardClient: client,
  };
  const apps = [await buildApp(built), await buildApp(built)];
  for (const { platform } of apps) for (const listener of onlyTell) platform.outbox.off(listener);
  try {
    for (const { http } of apps) await http.ready();
    const beAway = async (milliseconds: number) => {
      await apps[0]!.platform.uptime.beat();
      wallMs += milliseconds;
      clock.advance(milliseconds);
    };
    return await work(await openHistoryContext({ apps, clock, trouble, beAway }));
  } finally {
    for (const { http } of apps) await http.close();
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
  }
}

async function play({ firstSeed, count }: Chunk): Promise<void> {
  const next = { seed: firstSeed };
  const endsAt = firstSeed + count;
  while (next.seed < endsAt) {
    await onStage(async (context) => {
      for (let isWhole = true; isWhole && next.seed < endsAt;) {
        const seed = next.seed++;
        const told: Told = { seed, played: null, trace: null, isLast: next.seed === endsAt };
        const property = asyncProperty(histories, async (steps) => {
          told.played = await within(playHistory(context, steps));
        });
        const { failed, errorInstance } = await check(property, { seed, numRuns: 1, endOnFailure: true });
        // The rest of a broken history must not count against the next.
        isWhole = !failed;
        if (failed)
          told.trace = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
        else if (told.isLast) {
          const { differences } = await reconcile(context.app.platform, new Date(0));
          if (differences.length > 0) told.trace = `In the end: ${JSON.stringify(differences)}`;
        }
        process.send?.(told);
      }
    });
  }
}

function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('It does not end.')), endsWithinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

process.on('message', (chunk: Chunk) => {
  void play(chunk);
});
process.on('disconnect', () => process.exit());
