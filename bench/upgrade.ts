import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { localHaproxyFile } from '../scripts/deploy/local-haproxy.ts';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { openPool } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { knownMigrations } from '../server/platform/database/migrate.ts';
import { freePort, startServerProcess, type ServerProcess } from '../server/testing/server-process.ts';
import { say } from './bench-app.ts';
import { compare } from './nodes/compare.ts';
import { meet, newPairing, type Pairing } from './nodes/people.ts';
import { Tally } from './nodes/tally.ts';
import { checkOutFormerRelease, type FormerRelease } from './upgrade/former-release.ts';

const usualPairs = 4;
const usualSeconds = 120;
const endWithinMs = 60_000;
const databaseName = 'sameway';

/** One after the other: the first brings the schema up to date while the second is the former release. */
const replacedAt = [1 / 4, 1 / 2] as const;

/**
 * Two processes of the former release behind HAProxy; people publish, search, ask, accept and talk for two
 * minutes (`--seconds`), while one process and then the other is replaced by this release on the same
 * database.
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
  const servers: ServerProcess[] = [await start(0, former.main), await start(1, former.main)];
  const proxy = await openHaproxy(folder, ports);
  const load = peopleMeet(databaseUrl, { url: proxy.url, pairs, former });
  try {
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
    return await load.end();
  } finally {
    proxy.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function openHaproxy(
  folder: string,
  ports: readonly [number, number],
): Promise<{ url: string; stop: () => void }> {
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(file, localHaproxyFile(port, ports));
  const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; (await fetch(`${url}/app/version`).catch(() => null))?.ok !== true; waited += 100) {
    if (waited > 20_000 || proxy.exitCode !== null) throw new Error('HAProxy does not serve.');
    await sleep(100);
  }
  return { url, stop: () => void proxy.kill('SIGTERM') };
}

/** Pairs of people who meet again and again, until it is ended. */
function peopleMeet(
  databaseUrl: string,
  { url, pairs, former }: { url: string; pairs: number; former: FormerRelease },
) {
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, () => undefined);
  const person = former.signUpIn(pool);
  const tally = new Tally();
  const run = { isOver: false, isGivenUp: false };
  const all: Pairing[] = [];
  const refused: string[] = [];
  const goOn = async () => {
    while (!run.isOver) {
      const [driver, passenger] = [await person('Ana'), await person('Pia')];
      const met = newPairing(driver, passenger);
      all.push(met);
      const town = { url, tally, isGivenUp: () => run.isGivenUp };
      await meet(town, driver, passenger, met).catch((error: unknown) => refused.push(String(error)));
    }
  };
  const meeting = Array.from({ length: pairs }, goOn);
  return {
    async end() {
      run.isOver = true;
      const giveUp = setTimeout(() => (run.isGivenUp = true), endWithinMs);
      await Promise.all(meeting);
      clearTimeout(giveUp);
      await pool.end();
      const client = new Client(databaseUrl);
      await client.connect();
      const { lost, doubled, reordered } = await compare(client, all);
      await client.end();
      for (const words of [...lost, ...doubled, ...reordered, ...refused].slice(0, 20)) say(words);
      return {
        acknowledged: tally.acknowledged,
        pairs: all.length,
        refused: refused.length + tally.errorsSeen,
        errors: Object.fromEntries(tally.errors),
        lost: lost.length,
        doubled: doubled.length,
        reordered: reordered.length,
        unfinished: all.filter(({ isDone }) => !isDone).length,
      };
    },
  };
}
