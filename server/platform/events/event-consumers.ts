import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import {
  besideDueJobs,
  horizonOfDatabase,
  openLog,
  readByIndex,
  readLog,
  saveCursors,
  type Beside,
  type Connection,
  type LogBatch,
  type LoggedSignal,
} from './event-log.ts';

/** One reader of the log, with a cursor of its own. */
export interface Consumer {
  /** That of its cursor. */
  name: string;
  /** Whether it wants to hear of a signal; asked before anything else is done. */
  wants(signal: LoggedSignal): boolean;
  /**
   * Hears signals that follow each other in the log. What a listener could not do is kept for later; where
   * not even that can be written down this fails, and hears all of them again after a pause.
   * @param position up to which it has heard everything after them
   * @returns whether its cursor was moved there, in the transaction that wrote what came of them
   */
  hear(signals: readonly LoggedSignal[], position: bigint): Promise<boolean>;
  /** To hear signals again does no harm: its cursor may be saved somewhat later. */
  savesLate: boolean;
  /** It hears at most once in so long: what comes meanwhile is heard together. */
  restMs: number;
}

// Any number, the same in every process: the process that holds this lock reads the log.
const readingLock = 7_302_006;
/** A process that does not read the log asks so often whether it shall. */
const applyEveryMs = secondMs;
/**
 * Where another process may have committed something; what this one commits is read at once. `alone`: where
 * no other process serves this database, only commands write to it, and they notify.
 */
const lookEveryMs = { busy: 20, quiet: 200, alone: 2 * secondMs };
/** What a command that has written to the log notifies. */
export const logChannel = 'sameway_log';
/**
 * A look that found something is followed by none for so long: what is committed meanwhile is a batch. Looks
 * that each find something soon after the one before rest twice as long each time, up to the longest. After a
 * look that found much, the next one rests as little as before: there is something to catch up with.
 */
const rest = { shortestMs: 10, longestMs: 160, soonMs: 50 };
/** A log in which nothing has happened for so long is quiet. */
const quietAfterMs = 5 * secondMs;
/**
 * Something has been committed so long ago and still waits for a transaction that began earlier: it may be
 * one of another database.
 */
const settlesWithinMs = 150;
/** Cursors are saved so long after rows that concerned no consumer, or one that may hear them again. */
const saveLateAfterMs = secondMs;
/** A consumer hears so many signals together, and the rest of the look that reaches this. */
const heardTogether = 500;
/** A consumer with so many signals before it is waited for. */
const mostUnheard = 4000;
/** What could not be heard, nor kept for later, is heard again after this pause. */
const hearAgainMs = secondMs;
/** What is under way when the process ends is waited for so long. */
const endWithinMs = 10 * secondMs;

interface Progress {
  consumer: Consumer;
  /** Up to which it was given what concerns it. */
  given: bigint;
  /** Up to which it has heard that. */
  position: bigint;
  /** What it was given and does not hear yet, look by look. */
  waiting: { signals: readonly LoggedSignal[]; until: bigint }[];
  unheard: number;
  /** Where its cursor was last saved. */
  saved: bigint;
  /** It has heard something since then. */
  hasHeard: boolean;
  /** When it last began to hear. */
  heardAtMs: number;
  /** Settles when all that it was given has been heard; null where that is so. */
  hearing: Promise<void> | null;
}

/**
 * Reads the log once for all consumers and lets each hear what concerns it, in the order of commits. What
 * comes while a consumer hears is heard together after it. One process of an installation reads; another
 * takes over when its connection ends. After a crash a consumer hears again what it had heard since its
 * cursor was last saved.
 */
export class EventConsumers {
  readonly #consumers: () => readonly Consumer[];
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #quietMs: number;
  readonly #stopping = new AbortController();
  #going: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};
  #isAwake = false;

  /** @param of.isAlone no other process serves this database. */
  constructor(
    pool: Pool,
    log: Log,
    consumers: () => readonly Consumer[],
    { isAlone }: { isAlone: boolean } = { isAlone: false },
  ) {
    this.#quietMs = isAlone ? lookEveryMs.alone : lookEveryMs.quiet;
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
      await readByIndex(client);
      client.on('notification', () => this.nudge());
      await client.query(`listen ${logChannel}`);
      await this.#read(client, ended);
    } finally {
      // The lock ends with its connection.
      end();
    }
  }

  async #read(client: Client, ended: AbortSignal): Promise<void> {
    const opened = await open(client, this.#consumers());
    let all = opened.all;
    let first: LogBatch | null = opened.batch;
    const early = new Set<number>();
    let unsavedSinceMs: number | null = null;
    let waitingSinceMs: number | null = null;
    let busyUntilMs = 0;
    let restMs = rest.shortestMs;
    let foundAtMs = -Infinity;
    try {
      while (!ended.aborted) {
        this.#isAwake = false;
        let hasFound = false;
        let isLong = false;
        let isUnsettled = false;
        const consumers = this.#consumers();
        if (hasChanged(all, consumers)) {
          all = await withChanged(client, all, consumers);
          first = null;
        }
        const isToSave =
          all.some(({ consumer, hasHeard }) => hasHeard && !consumer.savesLate) ||
          (unsavedSinceMs !== null && performance.now() - unsavedSinceMs > saveLateAfterMs);
        const saving = isToSave ? savingOf(all) : null;
        if (all.every(({ unheard }) => unheard < mostUnheard)) {
          const isLate = waitingSinceMs !== null && performance.now() - waitingSinceMs > settlesWithinMs;
          const horizon = isLate ? await horizonOfDatabase(client) : null;
          const batch: LogBatch =
            first ?? (await readLog(client, lowest(all), { horizon, saving: saving?.positions }));
          saving?.noteSaved();
          first = null;
          for (const progress of all) this.#give(progress, { batch, early, ended });
          noteEarly(early, batch);
          hasFound = batch.operations.length > 0;
          isLong = batch.operations.length >= heardTogether;
          waitingSinceMs = !batch.isMoreCommitted || hasFound ? null : (waitingSinceMs ?? performance.now());
          if (hasFound || batch.isMoreCommitted) busyUntilMs = performance.now() + quietAfterMs;
          if (hasFound && batch.isMoreCommitted) this.#isAwake = true;
          isUnsettled = !hasFound && batch.isMoreCommitted;
        } else if (saving !== null) {
          await saveCursors(client, saving.positions);
          saving.noteSaved();
        }
        // What is still being heard is saved in its turn, and what was heard to its end meanwhile.
        const isMoreToSave = all.some(({ hearing, position, saved }) => hearing !== null || position > saved);
        if (isToSave) unsavedSinceMs = isMoreToSave ? performance.now() : null;
        if (hasFound) unsavedSinceMs ??= performance.now();
        if (hasFound) {
          const isSoon = performance.now() - foundAtMs < restMs + rest.soonMs;
          restMs = isSoon && !isLong ? Math.min(2 * restMs, rest.longestMs) : rest.shortestMs;
          foundAtMs = performance.now();
          await pause(restMs);
        }
        // What is committed meanwhile waits for the same transaction: a look for it would find nothing.
        if (isUnsettled) await pause(lookEveryMs.busy);
        await this.#untilNudged(performance.now() < busyUntilMs ? lookEveryMs.busy : this.#quietMs);
      }
    } finally {
      const heard = Promise.all(all.flatMap(({ hearing }) => hearing ?? []));
      await Promise.race([heard, pause(endWithinMs, undefined, { ref: false })]);
      await saveCursors(client, savingOf(all).positions).catch(() => undefined); // Heard again by the next reader.
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

  #give(
    progress: Progress,
    { batch, early, ended }: { batch: LogBatch; early: ReadonlySet<number>; ended: AbortSignal },
  ): void {
    const signals = wantedOf(progress, batch, early);
    progress.given = batch.until;
    if (signals.length === 0 && progress.hearing === null) {
      progress.position = batch.until;
      return;
    }
    progress.unheard += signals.length;
    progress.waiting.push({ signals, until: batch.until });
    progress.hearing ??= this.#hearWaiting(progress, ended);
  }

  /** Hears all that waits for a consumer, also what comes meanwhile. */
  async #hearWaiting(progress: Progress, ended: AbortSignal): Promise<void> {
    const { consumer, waiting } = progress;
    while (waiting.length > 0) {
      await this.#rest(progress);
      const signals: LoggedSignal[] = [];
      let until = progress.position;
      while (waiting.length > 0 && signals.length < heardTogether) {
        const look = waiting.shift()!;
        signals.push(...look.signals);
        until = look.until;
      }
      const isSaved = signals.length === 0 || (await this.#hear(consumer, { signals, until, ended }));
      // The next reader begins at the position.
      if (isSaved === null) return;
      progress.unheard -= signals.length;
      progress.hasHeard ||= !isSaved;
      progress.position = until;
      // It may have said something that is in the log now, or has a cursor to save.
      if (signals.length > 0) this.nudge();
    }
    progress.hearing = null;
  }

  /**
   * Lets a consumer hear signals until it has: a failure that cannot be written down, as on a full disk,
   * holds up this consumer alone.
   * @returns whether its cursor was moved too; null where reading ended before it had heard
   */
  async #hear(
    consumer: Consumer,
    of: { signals: readonly LoggedSignal[]; until: bigint; ended: AbortSignal },
  ): Promise<boolean | null> {
    for (;;) {
      try {
        return await consumer.hear(of.signals, of.until);
      } catch (error) {
        this.#log.error(
          { err: error, consumer: consumer.name },
          'a listener failed, and that could not be noted: it hears the same signals again',
        );
        await pause(hearAgainMs, undefined, { signal: of.ended }).catch(() => undefined);
        if (of.ended.aborted) return null;
      }
    }
  }

  /** Waits until a consumer may hear again, unless enough is waiting for it or the process ends. */
  async #rest(progress: Progress): Promise<void> {
    const { consumer, heardAtMs, unheard } = progress;
    const leftMs = heardAtMs + consumer.restMs - performance.now();
    const { signal } = this.#stopping;
    if (unheard === 0) return;
    if (unheard < heardTogether && leftMs > 0 && !signal.aborted)
      await pause(leftMs, undefined, { signal }).catch(() => undefined);
    progress.heardAtMs = performance.now();
  }
}

/**
 * Lets consumers hear everything that is committed, in the calling process, whichever process reads
 * otherwise: for tests and the demo community's past.
 * @returns whether a job of the queue is due, as of the last look
 */
export async function hearAll(connection: Connection, consumers: readonly Consumer[]): Promise<boolean> {
  const opened = await open(connection, consumers, besideDueJobs);
  const { all } = opened;
  let { batch } = opened;
  const early = new Set<number>();
  for (let idle = 0; idle < mostIdleLooks;) {
    for (const progress of all) {
      const signals = wantedOf(progress, batch, early);
      if (signals.length > 0) await progress.consumer.hear(signals, batch.until);
      progress.given = progress.position = batch.until;
    }
    noteEarly(early, batch);
    const hasFound = batch.operations.length > 0;
    if (!hasFound && !batch.isMoreCommitted) break;
    idle = hasFound ? 0 : idle + 1;
    // Some of it comes after a transaction that has not ended.
    if (!hasFound) await pause(Math.min(idle, 20));
    const horizon = hasFound ? null : await horizonOfDatabase(connection);
    const saving = hasFound ? savingOf(all) : null;
    batch = await readLog(connection, lowest(all), {
      horizon,
      saving: saving?.positions,
      beside: besideDueJobs,
    });
  }
  return batch.beside === true;
}
const mostIdleLooks = 150;

async function isReader(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    readingLock,
  ]);
  return rows[0]?.locked === true;
}

/** Where each consumer begins, and what has been committed from the slowest on. */
async function open(
  connection: Connection,
  consumers: readonly Consumer[],
  beside?: Beside,
): Promise<{ all: Progress[]; batch: LogBatch }> {
  const { cursors, batch } = await openLog(
    connection,
    consumers.map(({ name }) => name),
    beside,
  );
  const all = consumers.map((consumer): Progress => {
    const position = cursors.get(consumer.name)!;
    return {
      consumer,
      given: position,
      position,
      waiting: [],
      unheard: 0,
      saved: position,
      hasHeard: false,
      heardAtMs: -Infinity,
      hearing: null,
    };
  });
  return { all, batch };
}

const hasChanged = (all: readonly Progress[], consumers: readonly Consumer[]): boolean =>
  all.length !== consumers.length || all.some(({ consumer }, at) => consumer.name !== consumers[at]!.name);

/** Listeners may come and go while the log is read. */
async function withChanged(
  client: Client,
  all: readonly Progress[],
  consumers: readonly Consumer[],
): Promise<Progress[]> {
  const { all: fresh } = await open(client, consumers);
  return fresh.map((each) => all.find(({ consumer }) => consumer.name === each.consumer.name) ?? each);
}

const lowest = (all: readonly Progress[]): bigint =>
  all.reduce((low, { given }) => (given < low ? given : low), all[0]?.given ?? 0n);

/**
 * The signals of a look that a consumer wants and was not given before.
 * @param early rows that were given before the position came to them
 */
const wantedOf = (
  { consumer, given }: Progress,
  { operations }: LogBatch,
  early: ReadonlySet<number>,
): LoggedSignal[] =>
  operations.flatMap(({ id, txid, signals }) =>
    txid < given || early.has(id) ? [] : signals.filter((signal) => consumer.wants(signal)),
  );

/** Rows that were given before the position came to them are not given again when it does. */
function noteEarly(early: Set<number>, { operations, until }: LogBatch): void {
  for (const { id, txid } of operations)
    if (txid >= until) early.add(id);
    else early.delete(id);
}

/** How far consumers have come, to be saved. */
function savingOf(all: readonly Progress[]): { positions: Map<string, bigint>; noteSaved: () => void } {
  const positions = new Map(all.map(({ consumer, position }) => [consumer.name, position]));
  for (const progress of all) progress.hasHeard = false;
  return {
    positions,
    noteSaved() {
      for (const progress of all) progress.saved = positions.get(progress.consumer.name)!;
    },
  };
}
