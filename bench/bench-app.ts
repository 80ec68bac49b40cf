import fs from 'node:fs';
import type { Pool } from 'pg';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { MovableClock } from '../server/platform/clock.ts';
import { placeDatabase, scratchFolder } from '../server/platform/database/database-folder.ts';
import { openPool } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { readEnv } from '../server/platform/env.ts';
import { createLog } from '../server/platform/observability/log.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { loadRegion } from '../server/features/geo/region.ts';

/** Says on standard error what is going on, so that standard output holds the figures alone. */
export const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

/**
 * Runs `work` in a whole server on an embedded database of its own, made for the occasion and removed
 * afterwards.
 * @param work gets the app, its clock, and a pool of the schema's owner in addition to the app's.
 * @param pack the region where it is not Santa Cruz, and the folder of its pack where it is not shipped.
 */
export async function inBenchApp<T>(
  work: (app: BuiltApp & { clock: MovableClock; owner: Pool }) => Promise<T>,
  pack: { region?: string; packs?: string | undefined; env?: Record<string, string> } = {},
): Promise<T> {
  const folder = scratchFolder('sameway-bench-');
  const region = { REGION: pack.region ?? 'santa-cruz' };
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: folder, ...region, ...pack.env });
  const log = createLog(env);
  const database = await openDatabase(env, { onError: () => {} });
  const { connection } = await startEmbeddedPostgres(placeDatabase(folder));
  const owner = openPool(connection, () => {});
  try {
    const clock = new MovableClock();
    const app = await buildApp({
      env,
      log,
      clock,
      pool: database.pool,
      region: await loadRegion({ env, ...(pack.packs === undefined ? {} : { packsFolder: pack.packs }) }),
      withRealtime: false,
    });
    try {
      return await work({ ...app, clock, owner });
    } finally {
      await app.http.close();
    }
  } finally {
    await owner.end();
    await database.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The value below which a share of the sorted figures lies. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const rounded = (figure: number): number => Math.round(figure * 100) / 100;
