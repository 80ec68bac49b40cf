import fs from 'node:fs';
import os from 'node:os';
import { pino } from 'pino';
import type { Pool } from 'pg';
import { joinableRideStates, openRequestStates } from '#contract/rides/moves.ts';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { recountSums } from '../server/features/payments/sums/store.ts';
import { catchUp } from '../server/features/trips/catch-up.ts';
import { MovableClock } from '../server/platform/clock.ts';
import { placeDatabase, scratchFolder } from '../server/platform/database/database-folder.ts';
import { openPool, usualLimits } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../server/platform/database/migrate.ts';
import { readEnv } from '../server/platform/env.ts';
import type { ScheduledWork } from '../server/platform/queue/scheduler.ts';
import { callingApp, type CallingApp } from '../server/testing/calling-app.ts';
import { rounded, say } from './bench-app.ts';
import { CallRound, sayFailure, type Measured, type MeasuredCall } from './growth/calls.ts';
import { fillDatabase } from './growth/fill.ts';
import { keyOf, leastScale, perVeteran, shapeOf } from './growth/shape.ts';
import { explainingSettings, StatementRecorder } from './growth/statements.ts';
import { Veterans } from './growth/veterans.ts';

const mostCallMs = 50;
/** Of a task, and of all listeners after a call. */
const mostTaskMs = 200;
/** Shows that a task has left the rest of a large thing to its next round, which is measured too. */
const restOf: Readonly<Record<string, string>> = {
  exports: `select from data_exports where state = 'preparing' and user_id is not null`,
  reminders: `select from bookings where remind_at <= now() limit 1`,
};
const mostRounds = 100;
const poolSize = 4;
/** Each works for some seconds: they add up what has happened since the filling began. */
const roundsOfStatistics = 3;

const partOfMemory = (share: number): string => `${Math.floor((os.totalmem() * share) / 2 ** 20)}MB`;
/** Like those of an installation of this size, on a machine that also runs the server. */
const settings = {
  ...explainingSettings,
  shared_buffers: partOfMemory(1 / 4),
  effective_cache_size: partOfMemory(2 / 3),
  work_mem: '16MB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '100',
  random_page_cost: '1.1',
};
/** Half of the buffers; the other half holds what is read next. */
const buffersWarmed = partOfMemory(1 / 8);
/** While it is filled, nothing would be lost that could not be made again. */
const whileFilling = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' };

/**
 * Fills a database with a million people and their past (less by `scale`), and makes every call of the
 * contract and every scheduled task once: by people with a long history, on a server like an operator's. Ends
 * with exit code 1 where a call or task costs the database more than it may, or reads a large table through.
 * `keep` names a folder in which the filled database stays, to be measured again; `statements` a file to
 * which every statement of every call and task is written.
 */
export async function benchGrowth(options: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const scale = Number(options['scale'] ?? 1);
  if (!(scale >= leastScale)) throw new Error(`The least scale is ${leastScale}.`);
  const folder = options['keep'] ?? scratchFolder('sameway-growth-');
  const embedded = await startEmbeddedPostgres(placeDatabase(folder), settings);
  const own = openPool({ ...embedded.connection, statement_timeout: 0, max: 4 }, () => {});
  try {
    const fillSeconds = await fill(own, scale);
    const { calls, tasks } = await measure(embedded.connection, own, {
      folder,
      scale,
      only: options['only'],
    });
    const size = await own.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    const broken = [
      ...calls.flatMap((each) => faultsOf(each.call, each, mostCallMs)),
      ...calls.flatMap(({ call, listeners, heard }) =>
        faultsOf(`listeners after ${call}`, { ...listeners, statements: heard, failure: null }, mostTaskMs),
      ),
      ...tasks.flatMap((each) => faultsOf(each.task, each, mostTaskMs)),
    ];
    for (const fault of broken) say(fault);
    if (options['statements'] !== undefined)
      fs.writeFileSync(options['statements'], JSON.stringify([...calls, ...tasks], null, 1));
    if (broken.length > 0) process.exitCode = 1;
    const plain = <T extends Measured>({ statements: _statements, failure: _failure, ...figures }: T) =>
      figures;
    return {
      calls: calls.map(({ heard: _heard, ...each }) => plain(each)),
      tasks: tasks.map(plain),
      faults: broken.length,
      scale,
      fillSeconds: rounded(fillSeconds),
      bytes: Number(size.rows[0]?.bytes),
    };
  } finally {
    await own.end();
    await embedded.stop();
    if (options['keep'] === undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the database; 0 seconds where it is there already, with what earlier runs have changed cleaned up.
 */
async function fill(pool: Pool, scale: number): Promise<number> {
  const filled = await pool.query<{ is: boolean }>(`select to_regclass('users') is not null as is`);
  await migrateDatabase(pool);
  if (filled.rows[0]?.is === true) {
    await pool.query('vacuum analyze');
    return 0;
  }
  for (const [name, value] of Object.entries(whileFilling))
    await pool.query(`alter system set ${name} = ${value}`);
  await pool.query('select pg_reload_conf()');
  const startedAt = performance.now();
  await fillDatabase(pool, scale, new Date());
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.query('alter system reset all');
  await pool.query('select pg_reload_conf()');
  say(`Filled in ${Math.round(seconds)} s.`);
  return seconds;
}

async function measure(
  connection: Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'],
  own: Pool,
  { folder, scale, only }: { folder: string; scale: number; only: string | undefined },
): Promise<{ calls: MeasuredCall[]; tasks: MeasuredTask[] }> {
  const recorder = await StatementRecorder.open(own);
  const limits = { ...usualLimits, poolSize };
  const pool = openPool({ ...connection, Client: recorder.Client }, () => {}, limits);
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DEMO: '1',
    REGION: 'santa-cruz',
    DATA_DIR: folder,
  });
  const clock = new MovableClock();
  const app = await buildApp({
    env,
    log: pino({ level: 'error' }, pino.destination(2)),
    clock,
    pool,
    region: await loadRegion({ env }),
    withRealtime: false,
  });
  try {
    await settle(app);
    await warm(own);
    const veterans = await Veterans.open(own, shapeOf(scale));
    const calling = callingApp(app, clock, own);
    // The clock moves on for one ride: all others stay as they are.
    const scheduler = { ...app.scheduler, tick: () => catchUpWithGathered(calling) };
    const round = new CallRound(
      { ...calling, scheduler },
      { veterans, recorder, inputs: await inputsOf(own) },
    );
    const calls = await round.run(only);
    clock.moveTo(null);
    const tasks: MeasuredTask[] = [];
    for (const task of app.scheduler.works)
      if (only === undefined || task.name.includes(only))
        tasks.push(...(await runTask(app, { recorder, own }, task)));
    await sayUnused(own, recorder);
    return { calls, tasks };
  } finally {
    await app.http.close();
    await pool.end();
  }
}

/**
 * Does the work that a server of such an installation has done long before: its connections know the tables,
 * statistics are added up, and so is the ledger.
 */
async function settle({ pool, platform, scheduler }: BuiltApp): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  const connections = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()));
  for (const connection of connections) {
    for (const { name } of rows) await connection.query(`select from ${name} where false`);
    connection.release();
  }
  await recountSums(platform.db, 'sandbox');
  const statistics = scheduler.works.find(({ name }) => name === 'statistics')!;
  for (let round = 0; round < roundsOfStatistics; round++) await statistics.run();
}

/**
 * Reads once what a server has in memory after some days of work, as far as there is room: open orders, and
 * the smaller tables and indexes before the larger ones, which are histories of everybody. A part of it lies
 * in PostgreSQL's own buffers.
 */
async function warm(pool: Pool): Promise<void> {
  await pool.query('create extension if not exists pg_prewarm');
  const read = (into: 'read' | 'buffer', bytes: string) =>
    pool.query(
      `select sum(pg_prewarm(oid, $1)) from (
         select oid, sum(pg_relation_size(oid)) over (order by pg_relation_size(oid), oid) as bytes_until
         from pg_class where relkind in ('r', 'i', 't') and relpersistence = 'p'
       ) smaller where bytes_until <= pg_size_bytes($2)`,
      [into, bytes],
    );
  await read('read', settings.effective_cache_size);
  await read('buffer', buffersWarmed);
  for (const [table, states] of [
    ['rides', joinableRideStates],
    ['requests', openRequestStates],
  ] as const)
    await pool.query(`select count(o.note) from ${table} o where state = any($1)`, [states]);
}

type MeasuredTask = Measured & { task: string };

/** Its first round, and those after it for as long as one leaves a rest to the next. */
async function runTask(
  app: BuiltApp,
  { recorder, own }: { recorder: StatementRecorder; own: Pool },
  { name, run }: ScheduledWork,
): Promise<MeasuredTask[]> {
  const rounds: MeasuredTask[] = [];
  const hasRest = async () => restOf[name] !== undefined && (await own.query(restOf[name])).rows.length > 0;
  do {
    let failure: string | null = rounds.length < mostRounds ? null : 'has no end';
    const { work, statements } = await recorder.during(() =>
      run().catch((error: unknown) => (failure = String(error))),
    );
    await app.platform.outbox.deliverAll(app.pool, app.platform.log);
    const task = rounds.length === 0 ? name : `${name}, round ${rounds.length + 1}`;
    const measured = { task, ...work, statements, failure };
    say(`${task}: ${work.ms} ms, ${work.processorMs} of the processor${sayFailure(measured)}`);
    rounds.push(measured);
  } while (rounds.length <= mostRounds && (await hasRest()));
  return rounds;
}

async function catchUpWithGathered({ platform, pool, clock }: CallingApp): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from rides where driver_id = $1 and ended_at is null and departs_at < $2',
    [keyOf('person', 0), new Date(clock.now().getTime() + 3_600_000)],
  );
  for (const { id } of rows) await catchUp(platform, id);
}

/** Things with very many others around them, instead of the new ones of the scene. */
async function inputsOf(pool: Pool): Promise<Record<string, object>> {
  const { rows } = await pool.query<{ ride: string }>(
    `select room_id as ride from chat_messages where seq = ${perVeteran.roomLines} limit 1`,
  );
  const { ride } = rows[0]!;
  const waiting = await pool.query<{ id: string }>(
    `select id from licenses where status = 'Reviewing' order by created_at limit 1`,
  );
  const [event, driver] = [keyOf('event', 0), keyOf('person', 0)];
  return {
    'GET /im/msg-list': { roomid: ride },
    'GET /im/room-detail': { roomid: ride },
    'POST /im/send': { roomid: ride, clientId: crypto.randomUUID(), text: 'Hello' },
    'POST /im/read': { roomid: ride, seq: perVeteran.roomLines },
    'GET /order/detail': { id: ride },
    'GET /order/timeline': { id: ride },
    'GET /order/audience': { id: ride },
    'GET /order/match': { id: ride },
    'GET /event/detail': { id: event },
    'GET /event/rides': { id: event },
    'GET /event/plan': { id: event },
    'GET /event/mine': { id: event },
    'GET /review/list': { userId: driver },
    'GET /contact/search': { text: 'Ada' },
    'POST /user/save-verify-result': { id: waiting.rows[0]!.id, status: 'Accepted', result: '' },
  };
}

function faultsOf(name: string, measured: Measured, mostMs: number): string[] {
  const { ms, statements, failure } = measured;
  const worst = statements.toSorted((a, b) => b.ms - a.ms)[0];
  const inShort = (text = '') => text.replaceAll(/\s+/g, ' ').slice(0, 400);
  const through = (kind: 'sequentialScans' | 'comparedIndexes') =>
    measured[kind].length === 0
      ? []
      : [
          `${name} reads through ${[...new Set(measured[kind])].join(', ')}: ${inShort(
            statements.find((each) => each[kind].length > 0)?.text,
          )}`,
        ];
  return [
    ...(failure === null ? [] : [`${name} failed${sayFailure(measured)}`]),
    ...(ms > mostMs
      ? [`${name}: ${ms} ms in ${statements.length} statements; ${worst?.ms} ms: ${inShort(worst?.text)}`]
      : []),
    ...through('sequentialScans'),
    ...through('comparedIndexes'),
  ];
}

/** Indexes that no plan has used and no constraint needs. */
async function sayUnused(pool: Pool, { usedIndexes }: StatementRecorder): Promise<void> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `select indexrelid::regclass::text as name, pg_size_pretty(pg_relation_size(indexrelid)) as bytes
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = 'public'::regnamespace and not indisunique
     order by pg_relation_size(indexrelid) desc`,
  );
  const unused = rows.filter(({ name }) => !usedIndexes.has(name));
  say(`Indexes that nothing has used: ${unused.map(({ name, bytes }) => `${name} (${bytes})`).join(', ')}`);
}
