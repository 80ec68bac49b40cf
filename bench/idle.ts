/**
 * Measures an installation that no one uses: the demo of State College on the embedded database, as
 * `npm start` serves it. CPU and memory are the kernel's own counts (`/proc`, Linux only) of the server and
 * of all processes of its database; statements are transactions of the database's own statistics, since each
 * idle statement is one of its own.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { minuteMs, secondMs } from '../server/platform/clock.ts';
import { placeDatabase, scratchFolder } from '../server/platform/database/database-folder.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import flags from '../scripts/server-flags.json' with { type: 'json' };
import { freePort, startServerProcess } from '../server/testing/server-process.ts';

/** The start's own work ends first: searches get ready, places are read, alerts catch up. */
const settleMs = 30 * secondMs;
/** Clock ticks of the kernel in a second, as `/proc` counts CPU time. */
const ticksPerSecond = 100;

/** @param options `minutes`: how long it is measured (5). */
export async function benchIdle({ minutes = '5' }: Record<string, string>): Promise<Record<string, unknown>> {
  const folder = scratchFolder('sameway-idle-', 1024 ** 3);
  const settings = { DATA_DIR: folder, DEMO: '1', REGION: 'state-college', LOG_LEVEL: 'warn' };
  const server = await startServerProcess(await freePort(), settings, undefined, flags);
  try {
    const database = databasePid(folder);
    const counter = await openCounter(folder);
    await sleep(settleMs);
    const [before, statements] = [usageOf(server.pid, database), await counter.count()];
    const beganAt = performance.now();
    await sleep(Number(minutes) * minuteMs);
    const after = usageOf(server.pid, database);
    const seconds = (performance.now() - beganAt) / secondMs;
    const counted = (await counter.count()) - statements;
    await counter.end();
    const percent = (from: number, to: number) => Number((((to - from) / seconds) * 100).toFixed(2));
    return {
      serverCpuPercent: percent(before.serverSeconds, after.serverSeconds),
      databaseCpuPercent: percent(before.databaseSeconds, after.databaseSeconds),
      rssMb: after.serverMb,
      databaseMb: after.databaseMb,
      statementsPerMinute: Math.round((counted / seconds) * 60),
      minutes: Number(minutes),
    };
  } finally {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The main process of the embedded database, which writes its number into its folder. */
const databasePid = (folder: string): number =>
  Number(
    fs.readFileSync(path.join(placeDatabase(folder), 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0],
  );

/** A connection of the benchmark to the embedded database that the server has started. */
async function openCounter(folder: string) {
  const { connection } = await startEmbeddedPostgres(placeDatabase(folder));
  const client = new Client(connection);
  await client.connect();
  return {
    async count(): Promise<number> {
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query<{ count: string }>(
        `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
      );
      return Number(rows[0]!.count);
    },
    end: () => client.end(),
  };
}

function usageOf(server: number, database: number) {
  // One that ends meanwhile is counted with its parent from then on.
  const ofDatabase = [database, ...childrenOf(database)].flatMap((pid) => usageIfThere(pid) ?? []);
  const { seconds, megabytes } = usageOfProcess(server);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  return {
    serverSeconds: seconds,
    serverMb: Math.round(megabytes),
    databaseSeconds: sum(ofDatabase.map((each) => each.seconds)),
    databaseMb: Math.round(sum(ofDatabase.map((each) => each.ownMegabytes))),
  };
}

const childrenOf = (pid: number): number[] =>
  fs
    .readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);

function usageIfThere(pid: number): ReturnType<typeof usageOfProcess> | null {
  try {
    return usageOfProcess(pid);
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** CPU time with that of ended children, memory, and the memory that no other process shares. */
function usageOfProcess(pid: number) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ', 2)[1]!.split(' ');
  const ticks = fields.slice(11, 15).reduce((all, each) => all + Number(each), 0);
  const memory = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
  return {
    seconds: ticks / ticksPerSecond,
    megabytes: kilobytes('Rss') / 1024,
    ownMegabytes: kilobytes('Pss') / 1024,
  };
}
