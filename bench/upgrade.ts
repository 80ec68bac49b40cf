import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openProxy } from '../scripts/deploy/local-proxy.ts';
import { secondMs } from '../server/platform/clock.ts';
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

/** Before the first process is replaced, and after the second. */
const leadSeconds = 10;

/**
 * Fills a database as the former release would have (`--scale`, as in `growth`), and runs two of its
 * processes behind HAProxy. People publish, search, ask, accept and chat while this release replaces first
 * one process, which migrates the database, and two minutes (`--seconds`) later the other.
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
  const start = async (at: 0 | 1, main?: string) => {
    const own = { ...settings, DATA_DIR: path.join(folder, `data-${at}`) };
    const server = await startServerProcess(ports[at], own, main);
    // HAProxy sends no calls before, but for its own first second.
    while (!(await fetch(`${server.url}/ready`)).ok) await sleep(lookEveryMs);
    return server;
  };
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
    const replace = async (at: 0 | 1) => {
      say(`process ${at + 1} of the former release makes room for this one …`);
      await servers[at]!.stop();
      servers[at] = await start(at);
    };
    await sleep(leadSeconds * secondMs);
    const [migrationSeconds] = await Promise.all([timeMigration(pool), replace(0)]);
    const acknowledgedBefore = crowd.tally.acknowledged;
    await sleep(seconds * secondMs);
    const sideBySide = {
      sideBySideSeconds: seconds,
      sideBySideAcknowledged: crowd.tally.acknowledged - acknowledgedBefore,
      backfilledRows: await countBackfilled(pool),
    };
    await replace(1);
    await sleep(leadSeconds * secondMs);
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

/** Rows that the new release has filled in the background so far. */
async function countBackfilled(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ filled: number }>(
    `select coalesce(sum((value ->> 'filled')::int), 0)::int as filled from settings where name like 'backfill.%'`,
  );
  return rows[0]!.filled;
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
