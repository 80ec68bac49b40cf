import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { BusyRun, deliverWhatTheDeadHad, letsPeopleDown } from '../e2e/kills.ts';
import { newDataFolder, startServer, type RunningServer } from '../e2e/server.ts';
import { buildApp } from '../server/app.ts';
import { minuteMs, MovableClock } from '../server/platform/clock.ts';
import { isConnectionLost } from '../server/platform/database/db.ts';
import { readEnv } from '../server/platform/env.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { randomFrom } from '../server/testing/random.ts';
import { rounded, say } from './bench-app.ts';

interface CutFigures {
  /** Actions that were answered with success. */
  acknowledged: number;
  /** Answered actions of which nothing is left, and rides that no one paid who rode along. */
  lost: number;
  /**
   * Actions that happened more than once, or answered something else the second time; bookings charged twice.
   */
  doubled: number;
  /** Server processes that ended by themselves. */
  deaths: number;
  /** The longest time in which no one got an answer; a database that recovers is part of it. */
  longestGapMs: number;
  /** Answers that say no to what was right. */
  refusedWrongly: number;
}

/**
 * Six drivers and six passengers plan, pay, drive and cancel rides, as in `kills`, while every connection to
 * the database is cut again and again, and the database itself is restarted at once: one of its processes is
 * killed, upon which it ends all others and recovers. Once with one server process and once with two; the
 * figures are both together, and each by itself.
 */
export async function benchCuts(options: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const count = Number(options['count'] ?? 50);
  const restarts = Math.round(count / 5);
  const seed = Number(options['seed'] ?? 1);
  const runs: CutFigures[] = [];
  for (const processes of [1, 2]) {
    say(`Cutting ${count} times and restarting ${restarts} times beside ${processes} server process(es) …`);
    runs.push(await cutOften({ processes, count, restarts, seed }));
  }
  const sum = (of: keyof CutFigures) => runs.reduce((total, figures) => total + figures[of], 0);
  return {
    cuts: count,
    restarts,
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    deaths: sum('deaths'),
    longestGapMs: Math.max(...runs.map(({ longestGapMs }) => longestGapMs)),
    refusedWrongly: sum('refusedWrongly'),
    oneProcess: JSON.stringify(runs[0]),
    twoProcesses: JSON.stringify(runs[1]),
  };
}

/** The journeys' region, and drivers who may let people down as often as the cuts make them. */
const runSettings = { REGION: 'santa-cruz', ...letsPeopleDown };

async function cutOften(of: {
  processes: number;
  count: number;
  restarts: number;
  seed: number;
}): Promise<CutFigures> {
  const { folder, remove } = newDataFolder();
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: folder, ...runSettings });
  const log = pino({ level: 'silent' });
  const database = await openDatabase(env, { onError: () => undefined });
  const { pool } = database;
  const clock = new MovableClock();
  const app = await buildApp({
    env,
    log,
    clock,
    region: await loadRegion({ env }),
    pool,
    withRealtime: false,
  });
  const settings = {
    DEMO: '0',
    DATABASE_URL: addressOf(pool),
    LIVE_ADAPTER: of.processes > 1 ? 'postgres' : 'memory',
    ...letsPeopleDown,
  };
  try {
    await app.http.ready();
    const run = new BusyRun(app, pool, randomFrom(of.seed));
    const pairs = await run.begin();
    const fleet = new Fleet(folder, settings);
    let different = 0;
    try {
      await fleet.start(of.processes);
      run.open(fleet);
      for (let cut = 1; cut <= of.count; cut++)
        await cutOnce(run, fleet, pool, cut % Math.round(of.count / of.restarts) === 0);
      await run.untilRandomMoment();
      run.isOver = true;
      await Promise.all(pairs);
      different = (await run.repeatLast(fleet)).different;
    } finally {
      run.isOver = true;
      run.shut();
      await fleet.stop();
    }
    await deliverWhatTheDeadHad(app, pool, log);
    for (let round = 0; round < 6; round++) {
      clock.advance(3 * minuteMs);
      await app.platform.outbox.deliverAll(pool, log);
      await app.scheduler.tick();
    }
    return {
      acknowledged: run.acknowledged.length,
      lost: await run.countLost(),
      doubled: different + (await run.countDoubled()),
      deaths: fleet.deaths,
      longestGapMs: rounded(run.longestGapMs),
      refusedWrongly: run.refusedWrongly,
    };
  } finally {
    await app.http.close();
    await database.close();
    remove();
  }
}

/** Cuts all connections at a random moment, and at another restarts the database too. */
async function cutOnce(run: BusyRun, fleet: Fleet, pool: Pool, withRestart: boolean): Promise<void> {
  await run.untilRandomMoment();
  await cutAll(pool);
  if (withRestart) {
    await run.untilRandomMoment();
    await restart(pool);
    await untilBack(pool);
  }
  run.countAnew();
  await fleet.replaceTheDead();
}

/** Server processes behind one address: each read of `url` gives another one of them. */
class Fleet {
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #servers: RunningServer[] = [];
  #next = 0;
  deaths = 0;

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  get url(): string {
    return this.#servers[this.#next++ % this.#servers.length]!.url;
  }

  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index++)
      this.#servers.push(await startServer(this.#folder, this.#settings));
  }

  /** As a supervisor would. */
  async replaceTheDead(): Promise<void> {
    for (const [index, server] of this.#servers.entries()) {
      if (!server.hasEnded()) continue;
      this.deaths++;
      this.#servers[index] = await startServer(this.#folder, this.#settings);
    }
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
  }
}

function addressOf(pool: Pool): string {
  const { host, port, user, password, database } = pool.options;
  const at = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${encodeURIComponent(String(password))}@localhost/${database}?${at.toString()}`;
}

/** Ends every connection to the database, those of onlookers too. */
async function cutAll(pool: Pool): Promise<void> {
  await untilBack(pool);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
}

/** Kills one process of the database, which then ends all of them at once and recovers. */
async function restart(pool: Pool): Promise<void> {
  await untilBack(pool);
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
}

async function untilBack(pool: Pool): Promise<void> {
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 50) {
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await sleep(50);
    }
  }
  throw new Error('The database does not come back.');
}
