import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillPlaceholders, sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import {
  Client,
  Pool,
  type PoolClient,
  type PoolConfig as PgPoolConfig,
  type QueryConfig,
  type QueryResultRow,
} from 'pg';
import { secondMs } from '../clock.ts';
import { requestUnderWay } from '../observability/traces.ts';
import { NamelessStatementsClient, statementName } from './prepared-statements.ts';

/** The pool, or a transaction on it: what a store works on. */
export type Db = NodePgDatabase;
export type PoolConfig = PgPoolConfig;

/**
 * How long anything may wait for the database, and how many connections calls share; see the settings
 * `DATABASE_*`.
 */
export interface DatabaseLimits {
  poolSize: number;
  lockTimeoutMs: number;
  statementTimeoutMs: number;
  idleTimeoutMs: number;
  connectTimeoutMs: number;
}

export const usualLimits: DatabaseLimits = {
  poolSize: 12,
  lockTimeoutMs: 5 * secondMs,
  statementTimeoutMs: 30 * secondMs,
  idleTimeoutMs: 30 * secondMs,
  connectTimeoutMs: 10 * secondMs,
};

/** Opens a pool; idle connections that break are replaced silently by the pool. */
export const openPool = (
  config: PoolConfig,
  onError: (error: Error) => void,
  limits: DatabaseLimits = usualLimits,
): Pool =>
  heard(
    new Pool({
      ...commonOf(limits),
      lock_timeout: limits.lockTimeoutMs,
      statement_timeout: limits.statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleTimeoutMs,
      ...config,
    }),
    onError,
  );

/**
 * Opens a pool through a pooler that assigns a connection to each transaction (PgBouncer). Session state is
 * lost afterwards, so each transaction sets its limits with its `begin`, and statements get no names.
 * Connections that listen, hold locks or keep plans go to `direct`.
 */
export function openPoolByPooler(
  config: PoolConfig,
  direct: PoolConfig,
  onError: (error: Error) => void,
  limits: DatabaseLimits = usualLimits,
): Pool {
  // The options of a pool, without making a connection.
  const { options } = openPool(direct, onError, limits);
  return heard(
    new PoolerPool(
      { ...commonOf(limits), Client: NamelessStatementsClient, ...config },
      options,
      beginWithin(limits),
    ),
    onError,
  );
}

class PoolerPool extends Pool {
  /** The options of a connection that does not go through the pooler. */
  readonly direct: PoolConfig;
  /** The settings sent with the `begin` of each transaction. */
  readonly begin: string;

  constructor(config: PoolConfig, direct: PoolConfig, begin: string) {
    super(config);
    this.direct = direct;
    this.begin = begin;
  }
}

const beginWithin = ({ lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }: DatabaseLimits): string =>
  `; set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}; set local idle_in_transaction_session_timeout = ${idleTimeoutMs}`;

const commonOf = ({ poolSize, connectTimeoutMs }: DatabaseLimits): PoolConfig => ({
  max: poolSize,
  connectionTimeoutMillis: connectTimeoutMs,
  // A statement that is sent behind another one does not wait for its answer.
  pipeline: true,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10 * secondMs,
});

function heard(pool: Pool, onError: (error: Error) => void): Pool {
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** The options of a connection outside the pool. */
export function directOptions(pool: Pool): PoolConfig {
  const options = pool instanceof PoolerPool ? pool.direct : pool.options;
  // The password is hidden when options are spread.
  return { ...options, password: options.password };
}

/**
 * The same database with a pool of its own: what works in the background never takes a connection from calls.
 */
export function openPoolBeside(
  pool: Pool,
  { name, ...own }: { name: string } & Pick<PoolConfig, 'max' | 'stream' | 'options' | 'Client'>,
  onError: (error: Error) => void,
): Pool {
  return openPool({ ...directOptions(pool), application_name: name, ...own }, onError);
}

/** A connection that stays open to listen on it, or to hold locks with it. */
export interface KeptConnection {
  client: Client;
  /** Ends it; more than once is no harm. */
  end(): void;
}

/** How often a connection outside the pool is checked, and how soon it must answer before it is given up. */
export interface Heartbeat {
  everyMs: number;
  withinMs: number;
}
export const usualHeartbeat: Heartbeat = { everyMs: 5 * secondMs, withinMs: 5 * secondMs };
const farewellMs = 3 * secondMs;

/**
 * Opens a long-lived connection outside the pool. A heartbeat finds out when the peer vanished without
 * closing (failover, firewall timeout), which causes no error by itself.
 * @param name its name in the database's list of connections.
 * @param onBroken called once if it breaks, or no longer answers, before it is ended.
 * @param heartbeat null for one that waits itself, as for a lock.
 */
export async function keepConnection(
  pool: Pool,
  name: string,
  onBroken: () => void,
  heartbeat: Heartbeat | null = usualHeartbeat,
): Promise<KeptConnection> {
  const socket = new net.Socket();
  const client = new Client({
    ...directOptions(pool),
    application_name: name,
    // Nothing is waited for on it that a limit could be meant for, but the locks of a living worker.
    statement_timeout: 0,
    lock_timeout: 0,
    stream: () => socket,
  });
  let isKept = true;
  const end = () => {
    if (!isKept) return;
    isKept = false;
    stopHeartbeat();
    // A peer that is gone never answers the farewell: the socket is not left waiting for it.
    client.end().catch(() => socket.destroy());
    setTimeout(() => socket.destroy(), farewellMs).unref();
  };
  const broke = () => {
    if (!isKept) return;
    isKept = false;
    stopHeartbeat();
    socket.destroy();
    onBroken();
  };
  // A broken client can emit both `error` and `end`, even after it has been ended.
  client.on('error', broke);
  client.on('end', broke);
  let stopHeartbeat = () => undefined as void;
  try {
    await client.connect();
  } catch (error) {
    isKept = false;
    socket.destroy();
    throw error;
  }
  if (heartbeat !== null) stopHeartbeat = beat(client, heartbeat, broke);
  return { client, end };
}

/** Asks a connection again and again whether it answers. @returns what ends the asking. */
export function beat(
  client: { query(text: string): Promise<unknown> },
  { everyMs, withinMs }: Heartbeat,
  onSilence: () => void,
): () => void {
  let isOpen = false;
  const asking = setInterval(() => {
    // A connection that is silent is asked once: what the first question shows holds for those after it.
    if (isOpen) return;
    isOpen = true;
    let hasAnswered = false;
    // After a stall of this process the answer may be there, and not read yet: it is, before this says
    // otherwise.
    const late = setTimeout(() => {
      setImmediate(() => {
        if (!hasAnswered) onSilence();
      });
    }, withinMs);
    client.query('select 1').then(
      () => {
        hasAnswered = true;
        isOpen = false;
        clearTimeout(late);
      },
      () => {
        isOpen = false;
        clearTimeout(late);
        onSilence();
      },
    );
  }, everyMs);
  asking.unref();
  return () => clearInterval(asking);
}

/**
 * The database through the pool. What runs in a transaction uses the transaction instead: a second connection
 * taken while one is open deadlocks a full pool, and does not see what the transaction has written.
 */
export function databaseOf(pool: Pool): Db {
  const db = drizzle(pool);
  // drizzle's own way keeps a connection for ever whose BEGIN fails because it was cut.
  return Object.assign(db, { transaction: <T>(work: (tx: Db) => Promise<T>) => inTransaction(pool, work) });
}

const dialect = new PgDialect();

/** A statement of which the text is made once. */
export type NamedStatement = (values: Readonly<Record<string, unknown>>) => QueryConfig;

/** @param statement with `sql.placeholder` for each of its values */
export function namedStatement(statement: SQL): NamedStatement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const name = statementName(text);
  return (values) => ({ name, text, values: fillPlaceholders(params, values) });
}

/** Runs a statement by its name, in a transaction or outside: its connection parses it once. */
export async function runNamed<R extends QueryResultRow>(db: Db, statement: QueryConfig): Promise<R[]> {
  return (await clientOf(db).query<R>(statement)).rows;
}

/** The connection of a transaction, or the pool of a database. */
const clientOf = (db: Db): Pool | PoolClient => (db as Db & { $client: Pool | PoolClient }).$client;

/**
 * Rows that a transaction had read were changed by another one: like PostgreSQL's own aborts it is done
 * again.
 */
export class AnotherWasFaster extends Error {
  readonly code = '40001';

  constructor(cause?: unknown) {
    super('another transaction was faster', { cause });
  }
}

/** Runs `work` in a savepoint: where it fails, what it has written is undone alone. */
export async function inSavepoint<T>(tx: Db, work: (inner: Db) => Promise<T>): Promise<T> {
  const client = clientOf(tx);
  await client.query('savepoint inner_work');
  try {
    const made = await work(tx);
    await client.query('release savepoint inner_work');
    return made;
  } catch (error) {
    await client.query('rollback to savepoint inner_work');
    throw error;
  }
}

/**
 * The settings of connections that keep plans. A plan is made once and stays while the tables grow, so it
 * must not read a table through because that table was small.
 */
export const keptPlans: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};
const setKeptPlans = Object.entries(keptPlans)
  .map(([name, value]) => `; set local ${name} = ${value}`)
  .join('');

/** Prepared statements carry no comment: `pg_stat_activity` shows their request in the connection's name. */
function namedAfterRequest(): string {
  const request = requestUnderWay();
  return request === undefined ? '' : `; set local application_name = 'request ${request.id}'`;
}

/** The database through a connection that is in a transaction: a transaction in it is a savepoint. */
function transactionOn(client: PoolClient): Db {
  const tx: Db = drizzle(client);
  return Object.assign(tx, { transaction: <T>(work: (inner: Db) => Promise<T>) => inSavepoint(tx, work) });
}

/**
 * Runs `work` in one transaction on one connection.
 * @param keepsPlans the connection keeps the plans of its named statements, and makes them so that none reads
 *   a table through because it is small.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Db) => Promise<T>,
  keepsPlans = false,
): Promise<T> {
  const client = await pool.connect();
  const settings = `${pool instanceof PoolerPool ? pool.begin : ''}${keepsPlans ? setKeptPlans + namedAfterRequest() : ''}`;
  let broken: Error | undefined;
  try {
    await client.query(`begin${settings}`);
    const made = await work(transactionOn(client));
    // Where a failed statement went unnoticed, PostgreSQL answers a commit with a rollback, and no error.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    return made;
  } catch (error) {
    // A connection that cannot roll back is given up: the database ends its transaction with it.
    await client.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The SQLSTATE of a failed statement, wherever the driver put it; null for other errors. */
export function sqlState(error: unknown): string | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string' && /^[0-9A-Z]{5}$/.test(each.code)) return each.code;
  }
  return null;
}

/** The name of the constraint a statement broke; null for other errors. */
export function brokenConstraint(error: unknown): string | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ('constraint' in each && typeof each.constraint === 'string') return each.constraint;
  }
  return null;
}

/** PostgreSQL's codes for a connection that it ends, or does not accept just now. */
const connectionStates: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '53300',
  // A pooler that has lost the server, or does not reach it.
  '08P01',
  // A primary that has become a standby: another one takes its place.
  '25006',
]);
const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
const connectionWords =
  /Connection terminated|Client has encountered a connection error|client was closed|timeout expired/;

/** Whether the connection to the database was cut, or none could be had: the work itself is not at fault. */
export function isConnectionLost(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof AggregateError && each.errors.some(isConnectionLost)) return true;
    if ('code' in each && typeof each.code === 'string') {
      if (connectionStates.has(each.code)) return true;
      if (connectionCodes.has(each.code) && 'syscall' in each) return true;
    }
    if (connectionWords.test(each.message)) return true;
  }
  return false;
}

/**
 * Whether one of the limits on waiting has fired: for a lock, a statement, an idle transaction or a free
 * connection.
 */
export function hasWaitedTooLong(error: unknown): boolean {
  const state = sqlState(error);
  if (state === '55P03' || state === '57014' || state === '25P03') return true;
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (/timeout exceeded when trying to connect/.test(each.message)) return true;
  return false;
}

/**
 * Lifts the limit on statements for the rest of a transaction: for work that is known to take long and holds
 * no one up.
 */
export async function allowLongStatements(tx: Db): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`);
}

/** Reads again while connections are cut; only for what changes nothing. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (const pauseMs of readPausesMs) {
    try {
      return await read();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await sleep(pauseMs);
    }
  }
  return read();
}
const readPausesMs = [20, 100, 300, 600, 1000];
