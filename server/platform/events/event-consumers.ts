import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Client, Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import {
  horizonOfDatabase,
  openCursors,
  readLog,
  saveCursors,
  type Connection,
  type LogBatch,
  type LoggedOperation,
  type LoggedSignal,
} from './event-log.ts';

/** One reader of the log, with a cursor of its own. */
export interface Consumer {
  name: string;
  /** Whether it wants to hear of a signal; asked before anything else is done. */
  wants(signal: LoggedSignal): boolean;
  /** Does not fail: what a listener could not do is kept for later. */
  hear(signal: LoggedSignal): Promise<void>;
}

// Any number, the same in every process: the process that holds this lock reads the log.
const readingLock = 7_302_006;
/** A process that does not read the log asks so often whether it shall. */
const applyEveryMs = secondMs;
/** Where another process may have committed something; what this one commits is read at once. */
const lookEveryMs = { busy: 20, quiet: 200 };
/** A log in which nothing has happened for so long is quiet. */
const quietAfterMs = 5 * secondMs;
/**
 * Something has been committed so long ago and still waits for a transaction that began earlier: it may be
 * one of another database.
 */
const settlesWithinMs = 50;
/** How many signals are heard at the same moment: each may take a connection from those for calls. */
const heardAtOnce = 4;
/** Cursors are saved so long after rows that concerned no consumer. */
const savePassedAfterMs = secondMs;
/** A consumer with so many signals before it is waited for. */
const mostUnheard = 4000;
/** What is under way when the process ends is waited for so long. */
const endWithinMs = 10 * secondMs;

interface Progress {
  consumer: Consumer;
  position: bigint;
  unheard: number;
  /** It has heard something since its cursor was saved. */
  hasHeard: boolean;
  /** Settles when all that it was given has been heard. */
  heard: Promise<void>;
}

/**
 * Reads the log and lets each consumer hear what concerns it: signals of one key one after another, in the
 * order of their commits, those of different keys side by side. One process of an installation reads; another
 * takes over when its connection ends. After a crash a consumer hears again what it had heard since its
 * cursor was last saved.
 */
export class EventConsumers {
  readonly #consumers: () => readonly Consumer[];
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #inTurn = pLimit(heardAtOnce);
  #going: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};
  #isAwake = false;

  constructor(pool: Pool, log: Log, consumers: () => readonly Consumer[]) {
    this.#pool = pool;
    this.#log = log;
    this.#consumers = consumers;
  }

  start(): void {
    this.#going = this.#applyAgainAndAgain();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.nudge();
    await Promise.race([this.#going, pause(2 * endWithinMs, undefined, { ref: false })]);
  }

  /** Something was committed, or heard: looks at once. */
  nudge(): void {
    this.#isAwake = true;
    this.#wake();
  }

  async #applyAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#apply().catch((error: unknown) => {
        if (!signal.aborted)
          this.#log.warn({ err: error }, 'the event log cannot be read; it is tried again');
      });
      await pause(applyEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Asks to be the one that reads until it is, and reads until the connection or the process ends. */
  async #apply(): Promise<void> {
    const broken = new AbortController();
    const { client, end } = await keepConnection(this.#pool, 'sameway events', () => {
      broken.abort();
      this.nudge();
    });
    const ended = AbortSignal.any([broken.signal, this.#stopping.signal]);
    try {
      while (!(await isReader(client))) {
        await pause(applyEveryMs, undefined, { signal: ended }).catch(() => undefined);
        if (ended.aborted) return;
      }
      await this.#read(client, ended);
    } finally {
      // The lock ends with its connection.
      end();
    }
  }

  async #read(client: Client, ended: AbortSignal): Promise<void> {
    let all = await progressOf(client, this.#consumers());
    const early = new Set<number>();
    let from = lowest(all);
    let passedAtMs: number | null = null;
    let waitingSinceMs: number | null = null;
    let busyUntilMs = 0;
    try {
      while (!ended.aborted) {
        this.#isAwake = false;
        const consumers = this.#consumers();
        if (consumers.length !== all.length) {
          all = await withChanged(client, all, consumers);
          from = lowest(all);
        }
        if (all.every(({ unheard }) => unheard < mostUnheard)) {
          const isLate = waitingSinceMs !== null && performance.now() - waitingSinceMs > settlesWithinMs;
          const batch = await readLog(client, from, isLate ? await horizonOfDatabase(client) : null);
          for (const progress of all) this.#give(progress, batch, early);
          noteEarly(early, batch);
          const hasMoved = batch.operations.length > 0;
          if (hasMoved) passedAtMs ??= performance.now();
          waitingSinceMs = !batch.isMoreCommitted || hasMoved ? null : (waitingSinceMs ?? performance.now());
          if (hasMoved || batch.isMoreCommitted) busyUntilMs = performance.now() + quietAfterMs;
          if (hasMoved && batch.isMoreCommitted) this.#isAwake = true;
          from = batch.until;
        }
        const isToSave =
          all.some(({ hasHeard }) => hasHeard) ||
          (passedAtMs !== null && performance.now() - passedAtMs > savePassedAfterMs);
        if (isToSave) await saveProgress(client, all);
        if (isToSave) passedAtMs = null;
        await this.#untilNudged(performance.now() < busyUntilMs ? lookEveryMs.busy : lookEveryMs.quiet);
      }
    } finally {
      const heard = Promise.all(all.map((each) => each.heard));
      await Promise.race([heard, pause(endWithinMs, undefined, { ref: false })]);
      await saveProgress(client, all).catch(() => undefined); // Heard again by the next reader.
    }
  }

  async #untilNudged(mostMs: number): Promise<void> {
    if (this.#isAwake) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = () => {};
  }

  #give(progress: Progress, batch: LogBatch, early: ReadonlySet<number>): void {
    const { consumer } = progress;
    const wanted = batch.operations
      .filter((operation) => !isHeard(progress, operation, early))
      .flatMap(({ signals }) => signals.filter((signal) => consumer.wants(signal)))
      .map((signal) => ({ signal }));
    if (wanted.length === 0 && progress.unheard === 0) {
      progress.position = batch.until;
      return;
    }
    progress.unheard += wanted.length;
    progress.heard = progress.heard.then(async () => {
      await inOrderOfKeys(wanted, ({ signal }) => this.#inTurn(() => consumer.hear(signal)));
      progress.unheard -= wanted.length;
      progress.hasHeard ||= wanted.length > 0;
      progress.position = batch.until;
      this.nudge();
    });
  }
}

/**
 * Lets consumers hear everything that is committed, in the calling process, whichever process reads
 * otherwise: for tests and the demo community's past.
 * @param atATime signals of different keys heard at the same moment; with 1 all are heard in one order
 * @returns how many signals were heard
 */
export async function hearAll(
  connection: Connection,
  consumers: readonly Consumer[],
  atATime: number,
): Promise<number> {
  const inTurn = pLimit(atATime);
  const all = await progressOf(connection, consumers);
  const early = new Set<number>();
  let count = 0;
  let horizon: bigint | null = null;
  for (let idle = 0; idle < mostIdleLooks;) {
    const batch = await readLog(connection, lowest(all), horizon);
    await inOrderOfKeys(
      batch.operations.flatMap((operation) => operation.signals.map((signal) => ({ operation, signal }))),
      ({ operation, signal }) =>
        inTurn(async () => {
          for (const progress of all) {
            if (isHeard(progress, operation, early) || !progress.consumer.wants(signal)) continue;
            count += 1;
            await progress.consumer.hear(signal);
          }
        }),
      atATime === 1,
    );
    noteEarly(early, batch);
    for (const progress of all) progress.position = batch.until;
    if (batch.operations.length > 0) await saveProgress(connection, all);
    if (!batch.isMoreCommitted) return count;
    // Some of it comes after a transaction that has not ended.
    idle = batch.operations.length > 0 ? 0 : idle + 1;
    if (idle > 0) {
      await pause(Math.min(idle, 20));
      horizon = await horizonOfDatabase(connection);
    }
  }
  return count;
}
const mostIdleLooks = 150;

async function isReader(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    readingLock,
  ]);
  return rows[0]?.locked === true;
}

async function progressOf(connection: Connection, consumers: readonly Consumer[]): Promise<Progress[]> {
  const cursors = await openCursors(
    connection,
    consumers.map(({ name }) => name),
  );
  return consumers.map((consumer) => ({
    consumer,
    position: cursors.get(consumer.name)!,
    unheard: 0,
    hasHeard: false,
    heard: Promise.resolve(),
  }));
}

/** Listeners may come and go while the log is read. */
async function withChanged(
  client: Client,
  all: readonly Progress[],
  consumers: readonly Consumer[],
): Promise<Progress[]> {
  const fresh = await progressOf(client, consumers);
  return fresh.map((each) => all.find(({ consumer }) => consumer.name === each.consumer.name) ?? each);
}

const lowest = (all: readonly Progress[]): bigint =>
  all.reduce((low, { position }) => (position < low ? position : low), all[0]?.position ?? 0n);

/** @param early rows that were heard before the position came to them */
const isHeard = (
  { position }: Progress,
  { id, txid }: LoggedOperation,
  early: ReadonlySet<number>,
): boolean => txid < position || early.has(id);

/** Rows that were heard before the position came to them are not heard again when it does. */
function noteEarly(early: Set<number>, { operations, until }: LogBatch): void {
  for (const { id, txid } of operations)
    if (txid >= until) early.add(id);
    else early.delete(id);
}

/** @param isOneByOne all of them one after another, as if they had one key */
async function inOrderOfKeys<T extends { signal: LoggedSignal }>(
  items: readonly T[],
  hear: (item: T) => Promise<void>,
  isOneByOne = false,
): Promise<void> {
  const last = new Map<string, Promise<void>>();
  for (const item of items) {
    const key = isOneByOne ? '' : item.signal.key;
    last.set(
      key,
      (last.get(key) ?? Promise.resolve()).then(() => hear(item)),
    );
  }
  await Promise.all(last.values());
}

async function saveProgress(connection: Connection, all: readonly Progress[]): Promise<void> {
  for (const progress of all) progress.hasHeard = false;
  await saveCursors(connection, new Map(all.map(({ consumer, position }) => [consumer.name, position])));
}
