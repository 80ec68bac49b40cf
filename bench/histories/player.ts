// Plays chunks of histories, each on a database and in a house of its own; told by its parent which.
import { randomUUID } from 'node:crypto';
import { asyncProperty, check } from 'fast-check';
import { pino } from 'pino';
import { buildHouse } from '../../server/app.ts';
import { openPool, type PoolConfig } from '../../server/base/db.ts';
import { readEnv } from '../../server/base/env.ts';
import { loadRegion } from '../../server/rooms/geo/region.ts';
import { fickleClient } from '../../server/testing/fickle-client.ts';
import { addTo, histories, playHistory } from '../../server/testing/histories/play.ts';
import { historyEnv, setStage, type Stage } from '../../server/testing/histories/stage.ts';
import { StandingClock } from '../../server/testing/standing-clock.ts';

/** Histories of consecutive seeds. */
export interface Chunk {
  firstSeed: number;
  count: number;
}

export interface ChunkPlayed {
  histories: number;
  steps: number;
  moves: Record<string, number>;
  refused: Record<string, number>;
  broken: { seed: number; trace: string }[];
}

/** A history that takes longer never ends. */
const endsWithinMs = 300_000;

const { connection, template, folder } = JSON.parse(process.argv[2]!) as {
  connection: PoolConfig;
  template: string;
  folder: string;
};
const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: folder, ...historyEnv });
const region = await loadRegion({ env });
const log = pino({ level: 'silent' });
// Databases are dropped while idle connections to them remain.
const admin = openPool({ ...connection, max: 1 }, () => undefined);

/** Has `work` done on a stage of its own. */
async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const name = `histories_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name} template ${template}`);
  const pool = openPool({ ...connection, database: name }, () => undefined);
  const { client, trouble } = fickleClient();
  const clock = new StandingClock(new Date('2026-03-02T08:00:00Z'));
  const house = await buildHouse({
    ...{ env, log, clock, pool, region },
    withLive: false,
    cardClient: client,
  });
  try {
    await house.app.ready();
    return await work(await setStage(house, clock, trouble));
  } finally {
    await house.app.close();
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
  }
}

async function play({ firstSeed, count }: Chunk): Promise<ChunkPlayed> {
  const total: ChunkPlayed = { histories: 0, steps: 0, moves: {}, refused: {}, broken: [] };
  while (total.histories < count) {
    await onStage(async (stage) => {
      while (total.histories < count) {
        const seed = firstSeed + total.histories;
        total.histories++;
        const property = asyncProperty(histories, async (steps) => {
          const played = await within(playHistory(stage, steps));
          total.steps += played.steps;
          addTo(total.moves, played.moves);
          addTo(total.refused, played.refused);
        });
        const { failed, errorInstance } = await check(property, { seed, numRuns: 1, endOnFailure: true });
        if (!failed) continue;
        total.broken.push({
          seed,
          trace: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
        });
        // What it has left behind must not count against the next.
        return;
      }
      const { differences } = await stage.house.rooms.payments.reconcile(new Date(0));
      if (differences.length > 0)
        total.broken.push({ seed: firstSeed, trace: `In the end: ${JSON.stringify(differences)}` });
    });
  }
  return total;
}

function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('It does not end.')), endsWithinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

process.on('message', (chunk: Chunk) => {
  void play(chunk).then((played) => process.send?.(played));
});
process.on('disconnect', () => process.exit());
