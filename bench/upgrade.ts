import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openProxy } from '../scripts/deploy/local-proxy.ts';
import { openPool } from '../server/platform/database/db.ts';
import { knownMigrations, migrationLock } from '../server/platform/database/migrate.ts';
import { freePort, startServerProcess, type ServerProcess } from '../server/testing/server-process.ts';
import { rounded, say } from './bench-app.ts';
import { leastScale } from './growth/shape.ts';
import { startCrowd } from './nodes/crowd.ts';
import { skipped, withFormerRelease, type FormerRelease } from './upgrade/former-release.ts';

const usualPairs = 4;
const usualSeconds = 120;
/** Of the million people of the benchmark of growth: 100,000 past orders and 600,000 chat lines. */
const usualScale = leastScale;
const lookEveryMs = 20;

/**
 * The first new process migrates the schema while the other one still runs the former release; both releases
 * serve side by side for most of the time.
 */
const replacedAt = [1 / 12, 11 / 12] as const;

/**
 * Fills a database as the former release would have (`--scale`, as in `growth`), and runs two of its
 * processes behind HAProxy. People publish, search, ask, accept and chat for two minutes (`--seconds`) while
 * the benchmark replaces one process after the other with this release on the same database.
 */
export async function benchUpgrade(options: Record<string, string>): Promise<Record<string, unknown>> {
  if (spawnSync('haproxy', ['-v']).error !== undefined)
    return skipped('HAProxy is not installed (Debian: haproxy).');
  return withFormerRelease(({ former, folder, databaseUrl }) => {
    const known = knownMigrations();
    return upgradeUnderLoad(databaseUrl, {
      folder,
      former,
      migrations: known.slice(known.indexOf(former.migration) + 1),
      seconds: Number(options['seconds'] ?? usualSeconds),
      pairs: Number(options['workers'] ?? usualPairs),
      scale: Number(options['scale'] ?? usualScale),
    });
  });
}

interface Run {
  folder: string;
  former: FormerRelease;
  seconds: number;
  pairs: number;
  scale: number;
  migrations: readonly string[];
}

async function upgradeUnderLoad(
  databaseUrl: string,
  { folder, former, migrations, seconds, pairs, scale }: Run,
): Promise<Record<string, unknown>> {
  const ports = [await freePort(), await freePort()] as const;
  const settings = { DATABASE_URL: databaseUrl, LIVE_ADAPTER: 'postgres', TRUST_PROXY: '1' };
  const start = (at: 0 | 1, main?: string) =>
    startServerProcess(ports[at], { ...settings, DATA_DIR: path.join(folder, `data-${at}`) }, main);
  const servers: ServerProcess[] = [];
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, () => undefined);
  let proxy: Awaited<ReturnType<typeof openProxy>> | null = null;
  try {
    say('Filling a database of the former release …');
    await former.fillDatabase(pool, scale);
    const filled = await countRows(pool);
    for (const at of [0, 1] as const) servers.push(await start(at, former.main));
    proxy = await openProxy('haproxy', folder, ports);
    const crowd = startCrowd({ url: proxy.url, pairs, person: former.signUpIn(pool) });
    const startedAt = performance.now();
    const untilShare = (share: number) =>
      sleep(Math.max(0, share * seconds * 1000 - (performance.now() - startedAt)));
    const replace = async (at: 0 | 1) => {
      await untilShare(replacedAt[at]);
      say(`process ${at + 1} of the former release makes room for this one …`);
      await servers[at]!.stop();
      servers[at] = await start(at);
    };
    const [migrationSeconds] = await Promise.all([timeMigration(pool), replace(0)]);
    const sideBySideFrom = performance.now();
    const { acknowledged } = crowd.tally;
    await untilShare(replacedAt[1]);
    const sideBySide = {
      sideBySideSeconds: rounded((performance.now() - sideBySideFrom) / 1000),
      sideBySideAcknowledged: crowd.tally.acknowledged - acknowledged,
    };
    await replace(1);
    await untilShare(1);
    const { errorsSeen: refused, ...figures } = await crowd.end(databaseUrl);
    return {
      migrations,
      ...filled,
      migrationSeconds: rounded(migrationSeconds),
      ...sideBySide,
      refused,
      ...figures,
    };
  } finally {
    await proxy?.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await pool.end();
  }
}

async function countRows(pool: Pool): Promise<Record<'people' | 'orders' | 'lines', number>> {
  const { rows } = await pool.query<Record<'people' | 'orders' | 'lines', number>>(
    `select (select count(*)::int from users) as people,
       (select count(*)::int from rides) + (select count(*)::int from requests) as orders,
       (select count(*)::int from chat_messages) as lines`,
  );
  return rows[0]!;
}

/** For how many seconds the next process to start holds the lock under which it migrates. */
async function timeMigration(pool: Pool): Promise<number> {
  const isHeld = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
      [migrationLock],
    );
    return rowCount !== 0;
  };
  while (!(await isHeld())) await sleep(lookEveryMs);
  const from = performance.now();
  while (await isHeld()) await sleep(lookEveryMs);
  return (performance.now() - from) / 1000;
}
