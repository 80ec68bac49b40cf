import { AsyncLocalStorage } from 'node:async_hooks';
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
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { secondMs } from '../clock.ts';
import { requestUnderWay } from '../observability/request-trace.ts';
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
  heardPool(
    {
      ...commonOf(limits),
      lock_timeout: limits.lockTimeoutMs,
      statement_timeout: limits.statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleTimeoutMs,
      ...config,
    },
    onError,
  );

/**
 * Opens a pool by way of a pooler that gives a connection to each transaction (PgBouncer): what is said of a
 * connection is forgotten after it, so limits are set for each transaction, with its `begin`, and statements
 * get no names. What listens, holds locks or keeps plans goes to `direct`.
 */
export function openPoolByPooler(
  config: PoolConfig,
  direct: PoolConfig,
  onError: (error: Error) => void,
  limits: DatabaseLimits = usualLimits,
): Pool {
  const pool = heardPool({ ...commonOf(limits), Client: NamelessStatementsClient, ...config }, onError);
  // What a pool is made of, without a connection being made.
  const { options } = openPool(direct, onError, limits);
  pooled.set(pool, { direct: options, begin: beginWithin(limits) });
  return pool;
}

/** Of pools by way of a pooler: the way past it, and what each transaction begins with. */
const pooled = new WeakMap<Pool, { direct: PoolConfig; begin: string }>();

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

function heardPool(config: PoolConfig, onError: (error: Error) => void): Pool {
  const pool = new Pool(config);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** How a connection of one's own is made, beside a pool. */
export function directOptions(pool: Pool): PoolConfig {
  const options = pooled.get(pool)?.direct ?? pool.options;
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

/** A connection that is kept for as long as something listens on it, or holds locks with it. */
export interface KeptConnection {
  client: Client;
  /** Ends it; more than once is no harm. */
  end(): void;
}

/**
 * A kept connection is asked so often whether it still answers, and given up when it does not do so in time.
 */
export interface Heartbeat {
  everyMs: number;
  withinMs: number;
}
export const usualHeartbeat: Heartbeat = { everyMs: 5 * secondMs, withinMs: 5 * secondMs };
const farewellMs = 3 * secondMs;

/**
 * Opens a connection beside the pool for good. A heartbeat finds out when the other side has gone without a
 * word (a failover, a forgetful firewall), which no notification and no error would tell.
 * @param name by which it is told apart in the database's list of connections.
 * @param onBroken called once if it breaks, or no longer answers, before it is ended.
 * @param heartbeat null for one that is itself kept waiting, as for a lock.
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
  // One that is cut says so more than once, and may still do so after it has been ended.
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

interface OpenTransaction {
  client: PoolClient;
  isOpen: boolean;
}
const openTransaction = new AsyncLocalStorage<OpenTransaction>();

/**
 * The database by way of the pool. Inside a transaction (`inTransaction`) its own connection is asked
 * instead: code that holds one connection and waits for a second one, with as many others, waits for ever.
 */
export function databaseOf(pool: Pool): Db {
  const ask: Pool['query'] = (...question: unknown[]) => {
    const open = openTransaction.getStore();
    const asked = open?.isOpen === true ? open.client : pool;
    return Reflect.apply(asked.query, asked, question);
  };
  const routed = Object.create(pool, {
    query: { value: ask },
    connect: { value: pool.connect.bind(pool) },
  }) as Pool;
  const db = drizzle(routed);
  routes.set(db, routed);
  // drizzle's own way keeps a connection for ever whose BEGIN fails because it was cut.
  const transaction: Db['transaction'] = (work, config) => inTransaction(pool, work, config);
  return Object.assign(db, { transaction });
}

/** The ways to the database that statements of one's own text take. */
const routes = new WeakMap<object, Pool>();

/**
 * The database by way of the pool, always: what is counted there stays, whatever becomes of the transaction
 * around it.
 */
export const databaseBeside = (pool: Pool): Db => drizzle(pool);

/** How PostgreSQL plans a statement that is asked for with values. */
type PlanMode = 'auto' | 'force_generic_plan';

/**
 * The connection of one transaction, asked one question after another: what a transaction reads side by side
 * waits here. Two pairs travel together, each in one message: the `begin` with the first statement, and the
 * last statement with the `commit`.
 */
class TransactionLine {
  readonly #connection: PoolClient;
  /** Statements sent together with the `begin`. */
  readonly #withBegin: string;
  /**
   * The mode that the connection is in, where the transaction changes it: the plan of a statement with a name
   * is made once for any values, one without a name for those at hand. Null where a rollback may have changed
   * it.
   */
  #planMode: PlanMode | 'unchanged' | null;
  #last: Promise<unknown> = Promise.resolve();
  #begin: 'expected' | 'sent' | { text: string } = 'expected';
  #commit: Promise<unknown> | null = null;
  /** The connection for the code inside the transaction. */
  readonly client: PoolClient;

  /** @param keepsPlans whether the plans of its statements with names are made once for any values */
  constructor(connection: PoolClient, withBegin: string, keepsPlans: boolean) {
    this.#connection = connection;
    this.#withBegin = withBegin;
    this.#planMode = keepsPlans ? 'auto' : 'unchanged';
    const query = (...question: unknown[]): Promise<unknown> => this.#ask(question);
    this.client = Object.create(connection, { query: { value: query } }) as PoolClient;
  }

  /**
   * Sends the last statement with the `commit` behind it. If the statement fails, PostgreSQL rolls back
   * instead of committing.
   */
  async askAndCommit<R extends QueryResultRow>(question: QueryConfig): Promise<QueryResult<R>> {
    const answer = this.#ask([question], () => {
      this.#commit = this.#connection.query('commit');
      // Its result is awaited below, or its failure follows that of the statement.
      this.#commit.catch(() => undefined);
    });
    return (await answer) as QueryResult<R>;
  }

  #ask(question: unknown[], thenSend: () => void = () => {}): Promise<unknown> {
    if (this.#begin === 'expected') {
      this.#begin = { text: `${textOf(question[0])}${this.#withBegin}` };
      return Promise.resolve();
    }
    const isEnd = /^(?:commit|rollback)$/.test(textOf(question[0]));
    if (isEnd && typeof this.#begin === 'object') return Promise.resolve();
    if (isEnd && this.#commit !== null) return this.#ended(textOf(question[0]));
    const answer = this.#last.then(() => this.#send(question, thenSend));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ended(by: string): Promise<void> {
    await (by === 'commit' ? this.#commit : this.#commit!.catch(() => undefined));
  }

  async #send(question: unknown[], thenSend: () => void): Promise<unknown> {
    const begin = this.#begin;
    this.#begin = 'sent';
    const before = [...(typeof begin === 'object' ? [begin.text] : []), ...this.#planning(question[0])];
    const [begun, answer] = this.#inOneMessage(() => {
      const first = before.length > 0 ? this.#connection.query(before.join('; ')) : null;
      const second = Reflect.apply(this.#connection.query, this.#connection, question) as Promise<unknown>;
      thenSend();
      return [first, second];
    });
    const [, answered] = await Promise.all([begun, answer]);
    return answered;
  }

  /** What brings the connection into the mode for a statement, where it is in the other one. */
  #planning(question: unknown): string[] {
    if (this.#planMode === 'unchanged') return [];
    if (/^\s*(?:commit|rollback|savepoint|release)\b/i.test(textOf(question))) {
      if (/^\s*rollback\b/i.test(textOf(question))) this.#planMode = null;
      return [];
    }
    const mode = isNamed(question) ? 'force_generic_plan' : 'auto';
    if (mode === this.#planMode) return [];
    this.#planMode = mode;
    return [`set local plan_cache_mode = ${mode}`];
  }

  /** What is sent meanwhile goes to the socket by one write, which wakes the other side once. */
  #inOneMessage<T>(send: () => T): T {
    const { stream } = (this.#connection as unknown as { connection: { stream: net.Socket } }).connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }
}

const textOf = (config: unknown): string =>
  typeof config === 'string' ? config : (config as { text: string }).text;

const isNamed = (config: unknown): boolean =>
  typeof config === 'object' && (config as Partial<QueryConfig>).name !== undefined;

/** A statement that writes as a part of another one. */
export interface WritePart {
  statement: SQL;
  /**
   * By the names of the statement's placeholders, where it is always the same: its text is made once. Missing
   * where it has its values in itself.
   */
  values?: Readonly<Record<string, unknown>>;
  /**
   * The rows that it must change, each of which it returns: where another transaction was faster, it changes
   * fewer. Missing where any number is right.
   */
  rows?: number;
}

/** What is written as the last part of a transaction, and done once that has ended. */
export interface LastPart<T> {
  /** Statements that each write and need nothing of each other: all parts become one statement. */
  statements: (noted: readonly T[]) => WritePart[];
  ended?: () => void;
}

/** What a transaction keeps in memory of the rows that it has locked, and writes at its end. */
export interface TransactionMemory {
  /** Hears of each statement before it runs, so that what it may read is written by then. */
  beforeStatement(text: string): Promise<void> | null;
  /** What is still to be written. */
  takeParts(): WritePart[];
}

interface Notes {
  items: { part: LastPart<unknown>; item: unknown }[];
  /** All that anything was ever noted for. */
  parts: Set<LastPart<unknown>>;
  memory: TransactionMemory | null;
  /** The connection past the memory: by it the memory itself is written. */
  line: TransactionLine;
  /** The connection that tells the memory of each statement. */
  asked: PoolClient | null;
  /** Its statements keep their plans. */
  keepsPlans: boolean;
}
/** What transactions that are under way have noted; a savepoint shares what its transaction has. */
const notesOf = new WeakMap<object, Notes>();

/**
 * Notes an item that the transaction writes as its last part, together with others of the same part.
 * @returns false where `tx` is no transaction of `inTransaction`: each of its statements commits by itself
 */
export function noteForCommit<T>(tx: Db, lastPart: LastPart<T>, item: T): boolean {
  const notes = notesOf.get(tx);
  if (notes === undefined) return false;
  // A part gets back the items that were noted with it.
  const part = lastPart as LastPart<unknown>;
  notes.items.push({ part, item });
  notes.parts.add(part);
  return true;
}

/**
 * The memory of a transaction, made when it is first asked for; null where `tx` is no transaction of
 * `inTransaction`.
 */
export function memoryOf<M extends TransactionMemory>(
  tx: Db,
  kind: { new (write: (parts: readonly WritePart[]) => Promise<void>): M },
): M | null {
  const notes = notesOf.get(tx);
  if (notes === undefined) return null;
  notes.memory ??= new kind((parts) =>
    writeTogether(parts, (statement) => notes.line.client.query(statement)),
  );
  return notes.memory instanceof kind ? notes.memory : null;
}

/** Writes the last part of a transaction now; what is noted after it comes in a last part of its own. */
export async function writeLastPart(tx: Db): Promise<void> {
  const notes = notesOf.get(tx);
  if (notes !== undefined)
    await writeTogether(takeLastParts(notes), (statement) => notes.line.client.query(statement));
}

function takeLastParts(notes: Notes): WritePart[] {
  const items = notes.items.splice(0);
  const parts = [...new Set(items.map((each) => each.part))].flatMap((part) =>
    part.statements(items.filter((each) => each.part === part).map(({ item }) => item)),
  );
  return [...(notes.memory?.takeParts() ?? []), ...parts];
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

/**
 * Runs a statement in a transaction of `inTransaction`. One that keeps plans runs it by its name.
 * @throws Error where `tx` is none.
 */
export async function runNamed<R extends QueryResultRow>(
  tx: Db,
  { name, ...config }: QueryConfig,
): Promise<R[]> {
  const notes = notesOf.get(tx);
  if (notes?.asked == null) throw new Error('this is no transaction of a pool');
  const { rows } = await notes.asked.query<R>(notes.keepsPlans ? { ...config, name } : config);
  return rows;
}

/**
 * Runs a statement whose text was made once, inside a transaction or outside. It is planned with its values,
 * as others are.
 */
export async function runMade<R extends QueryResultRow>(db: Db, { text, values }: QueryConfig): Promise<R[]> {
  const asked = notesOf.get(db)?.asked ?? routes.get(db);
  if (asked === undefined) throw new Error('this is no database of a pool');
  return (await asked.query<R>({ text, values })).rows;
}

/** The database's error if a part changed fewer rows than it must: an invalid boolean. */
const fewerRows = 'another transaction was faster';

/**
 * Writes several parts as one statement, whose plan the connection keeps. The database itself raises an error
 * if a part changes fewer rows than it must, so that a `commit` can be sent behind it.
 */
async function writeTogether(
  parts: readonly WritePart[],
  ask: (statement: QueryConfig) => Promise<unknown>,
): Promise<void> {
  if (parts.length === 0) return;
  try {
    await ask(writeOf(parts));
  } catch (error) {
    const isFewer = sqlState(error) === '22P02' && String(error).includes(fewerRows);
    throw isFewer ? new AnotherWasFaster(error) : error;
  }
}

/** The text of a statement of several parts, and its parameters without their values. */
interface MadeWrite {
  text: string;
  params: readonly unknown[];
  /** How many of these each part has. */
  sizes: readonly number[];
}

/** Of parts that are always the same, by `keyOf`. */
const madeWrites = new Map<string, MadeWrite>();
/** More combinations of parts than there are: none grows without an end. */
const mostMadeWrites = 1000;
/** Statements of parts by the order in which they were first seen. */
const numbersOfStatements = new WeakMap<SQL, number>();
let seenStatements = 0;

function numberOf(statement: SQL): number {
  let number = numbersOfStatements.get(statement);
  if (number === undefined) numbersOfStatements.set(statement, (number = ++seenStatements));
  return number;
}

/** Null where a part has its values in itself: its text is not made again. */
const keyOf = (parts: readonly WritePart[]): string | null =>
  parts.some(({ values }) => values === undefined)
    ? null
    : parts
        .map(({ statement, rows }) => `${numberOf(statement)}${rows === undefined ? '' : ' counted'}`)
        .join();

function writeOf(parts: readonly WritePart[]): QueryConfig {
  const key = keyOf(parts);
  const known = key === null ? undefined : madeWrites.get(key);
  const { text, params, sizes } = known ?? makeWrite(parts);
  if (key !== null && known === undefined) {
    if (madeWrites.size === mostMadeWrites) madeWrites.clear();
    madeWrites.set(key, { text, params, sizes });
  }
  let from = 0;
  const values = parts.flatMap(({ values: own = {} }, place) =>
    fillPlaceholders(params.slice(from, (from += sizes[place]!)), own),
  );
  return { name: statementName(text), text, values: [...values, ...parts.flatMap(({ rows }) => rows ?? [])] };
}

function makeWrite(parts: readonly WritePart[]): MadeWrite {
  const nameOf = (place: number) => sql.identifier(`part_${place}`);
  const named = parts.map(({ statement }, place) => sql`${nameOf(place)} as (${statement})`);
  const counts = parts.flatMap(({ rows }, place) =>
    rows === undefined ? [] : [sql`(select count(*) from ${nameOf(place)}) = ${rows}`],
  );
  const areAll =
    counts.length === 0
      ? sql`true`
      : sql`(case when ${sql.join(counts, sql` and `)} then 'true' else ${sql.raw(`'${fewerRows}'`)} end)::boolean`;
  const { sql: text, params } = dialect.sqlToQuery(
    sql`with ${sql.join(named, sql`, `)} select ${areAll} as "areAll"`,
  );
  return {
    text,
    params,
    sizes: parts.map(({ statement }) => dialect.sqlToQuery(statement).params.length),
  };
}

/** What a transaction had read was changed by another one: like PostgreSQL's own aborts it is done again. */
export class AnotherWasFaster extends Error {
  readonly code = '40001';

  constructor(cause?: unknown) {
    super('another transaction was faster', { cause });
  }
}

/** Runs `work` in a savepoint: where it fails, what it has written and noted is undone alone. */
export async function inSavepoint<T>(tx: Db, work: (inner: Db) => Promise<T>): Promise<T> {
  const notes = notesOf.get(tx);
  const before = notes?.items.length ?? 0;
  try {
    return await tx.transaction((inner) => {
      if (notes !== undefined) notesOf.set(inner, notes);
      return work(inner);
    });
  } catch (error) {
    notes?.items.splice(before);
    throw error;
  }
}

/** The connection of one transaction, whose memory hears of each statement before it runs. */
function behindMemory(client: PoolClient, notes: Notes): PoolClient {
  const query = (...question: unknown[]): Promise<unknown> => {
    const ask = () => Reflect.apply(client.query, client, question) as Promise<unknown>;
    const before = notes.memory?.beforeStatement(textOf(question[0])) ?? null;
    return before === null ? ask() : before.then(ask);
  };
  return Object.create(client, { query: { value: query } }) as PoolClient;
}

/** Sent with the `begin` of a transaction that keeps plans: they stay while tables grow. */
const keptPlans =
  '; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off';

/** Prepared statements carry no comment: `pg_stat_activity` shows their request in the connection's name. */
function namedAfterRequest(): string {
  const request = requestUnderWay();
  return request === undefined ? '' : `; set local application_name = 'request ${request.id}'`;
}

/**
 * Runs `work` in one transaction on one connection.
 * @param keepsPlans the connection keeps the plans of its named statements, and makes them so that none reads
 *   a table through because it is small.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Parameters<Parameters<Db['transaction']>[0]>[0]) => Promise<T>,
  config?: Parameters<Db['transaction']>[1],
  keepsPlans = false,
): Promise<T> {
  const connection = await pool.connect();
  const settings = keepsPlans ? keptPlans + namedAfterRequest() : '';
  const line = new TransactionLine(connection, `${pooled.get(pool)?.begin ?? ''}${settings}`, keepsPlans);
  const open: OpenTransaction = { client: line.client, isOpen: true };
  const notes: Notes = {
    items: [],
    parts: new Set(),
    memory: null,
    line,
    asked: null,
    keepsPlans,
  };
  const client = behindMemory(line.client, notes);
  notes.asked = open.client = client;
  try {
    return await openTransaction.run(open, () =>
      drizzle(client).transaction(async (tx) => {
        notesOf.set(tx, notes);
        const made = await work(tx);
        await writeTogether(takeLastParts(notes), (statement) => line.askAndCommit(statement));
        return made;
      }, config),
    );
  } finally {
    // What goes on without being awaited asks the pool from now on.
    open.isOpen = false;
    connection.release();
    for (const { ended } of notes.parts) ended?.();
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

/** What PostgreSQL says of a connection that it ends, or does not take on just now. */
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
