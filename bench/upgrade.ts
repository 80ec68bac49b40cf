import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openProxy } from '../scripts/deploy/local-proxy.ts';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { openPool } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { knownMigrations } from '../server/platform/database/migrate.ts';
import { freePort, startServerProcess, type ServerProcess } from '../server/testing/server-process.ts';
import { say } from './bench-app.ts';
import { startCrowd } from './nodes/crowd.ts';
import { checkOutFormerRelease, type FormerRelease } from './upgrade/former-release.ts';

const usualPairs = 4;
const usualSeconds = 120;
const databaseName = 'sameway';

/** The first new process migrates the schema while the other one still runs the former release. */
const replacedAt = [1 / 4, 1 / 2] as const;

/**
 * Runs two processes of the former release behind HAProxy. People publish, search, ask, accept and chat for
 * two minutes (`--seconds`) while the benchmark replaces one process after the other with this release on the
 * same database.
 */
export async function benchUpgrade(options: Record<string, string>): Promise<Record<string, unknown>> {
  if (spawnSync('haproxy', ['-v']).error !== undefined)
    return skipped('HAProxy is not installed (Debian: haproxy).');
  const folder = scratchFolder('sameway-upgrade-', 2 * 1024 ** 3);
  const former = await checkOutFormerRelease(path.join(folder, 'former'));
  if (typeof former === 'string') {
    fs.rmSync(folder, { recursive: true, force: true });
    return skipped(former);
  }
  const postgres = await startEmbeddedPostgres(path.join(folder, 'postgres'));
  try {
    const run = { folder, former, seconds: Number(options['seconds'] ?? usualSeconds) };
    const known = knownMigrations();
    return {
      migrations: known.slice(known.indexOf(former.migration) + 1),
      ...(await upgradeUnderLoad(await makeDatabase(postgres.connection), {
        ...run,
        pairs: Number(options['workers'] ?? usualPairs),
      })),
    };
  } finally {
    await postgres.stop();
    former.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function skipped(trouble: string): { skipped: string } {
  say(`SKIPPED: ${trouble}`);
  return { skipped: trouble };
}

type Connection = Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'];

/** @returns its address */
async function makeDatabase({ host, port, user, password }: Connection): Promise<string> {
  const admin = new Client({ host, port, user, password, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${databaseName}`);
  await admin.end();
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${databaseName}?${query.toString()}`;
}

interface Run {
  folder: string;
  former: FormerRelease;
  seconds: number;
  pairs: number;
}

async function upgradeUnderLoad(
  databaseUrl: string,
  { folder, former, seconds, pairs }: Run,
): Promise<Record<string, unknown>> {
  const ports = [await freePort(), await freePort()] as const;
  const settings = { DATABASE_URL: databaseUrl, LIVE_ADAPTER: 'postgres', TRUST_PROXY: '1' };
  const start = (at: 0 | 1, main?: string) =>
    startServerProcess(ports[at], { ...settings, DATA_DIR: path.join(folder, `data-${at}`) }, main);
  const servers: ServerProcess[] = [];
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, () => undefined);
  let proxy: Awaited<ReturnType<typeof openProxy>> | null = null;
  try {
    for (const at of [0, 1] as const) servers.push(await start(at, former.main));
    proxy = await openProxy('haproxy', folder, ports);
    const crowd = startCrowd({ url: proxy.url, pairs, person: former.signUpIn(pool) });
    const startedAt = performance.now();
    const untilShare = (share: number) =>
      sleep(Math.max(0, share * seconds * 1000 - (performance.now() - startedAt)));
    for (const at of [0, 1] as const) {
      await untilShare(replacedAt[at]);
      say(`process ${at + 1} of the former release makes room for this one …`);
      await servers[at]!.stop();
      servers[at] = await start(at);
    }
    await untilShare(1);
    const { errorsSeen: refused, ...figures } = await crowd.end(databaseUrl);
    return { refused, ...figures };
  } finally {
    await proxy?.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await pool.end();
  }
}
