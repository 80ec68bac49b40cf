// Brings the demo community into the database, and ends. `server/main.ts` starts it once in the life of an
// installation, waits for it, and has started the database before.
import { buildApp } from '../app.ts';
import { readClockOffset } from '../features/demo/service.ts';
import { loadRegion } from '../features/geo/region.ts';
import { importPlaces } from '../features/geo/service.ts';
import { MovableClock } from '../platform/clock.ts';
import { databaseOf, openPoolBeside } from '../platform/database/db.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { PreparedStatementsClient } from '../platform/database/prepared-statements.ts';
import { readEnv, type Env } from '../platform/env.ts';
import { createLog } from '../platform/observability/log.ts';
import { explained, lastWords } from '../platform/start-trouble.ts';
import { seedDemoCommunity } from './seed.ts';

/** Said to the process that started this one, where the community could not be brought in. */
export interface SeedTrouble {
  trouble: string;
}

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
  process.on(signal, () => (stopping = true));

async function bringIn(env: Env): Promise<void> {
  const log = createLog(env);
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const region = await explained(() => loadRegion({ env, say }), env.DATA_DIR);
  const { pool } = await openDatabase(env, { onError });
  // A commit there waits for no disk: a seed that was broken off is begun again.
  const own = {
    name: 'sameway demo',
    options: '-c synchronous_commit=off',
    Client: PreparedStatementsClient,
  };
  const beside = openPoolBeside(pool, own, onError);
  try {
    const clock = new MovableClock(await readClockOffset(databaseOf(pool)));
    const app = await buildApp({ env, log, clock, pool: beside, region, withRealtime: false });
    try {
      await importPlaces(app.platform, say);
      // No clients are connected.
      app.platform.outbox.off('news');
      if (!stopping) await seedDemoCommunity({ app, say, stopped: () => stopping });
    } finally {
      await app.http.close();
    }
  } finally {
    await beside.end();
    // The database goes on running for the process that started this one.
    await pool.end();
  }
}

const env = readEnv(process.env);
bringIn(env).then(
  () => process.exit(stopping ? 1 : 0),
  (error: unknown) => {
    const trouble = lastWords(error, env.DATA_DIR);
    process.send?.({ trouble } satisfies SeedTrouble, () => process.exit(1));
  },
);
