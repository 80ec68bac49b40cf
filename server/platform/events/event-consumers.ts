import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import {
  isAnythingAfter,
  numberLog,
  openCursors,
  readLog,
  rowsPerRead,
  saveCursors,
  type Connection,
  type LoggedSignal,
  type LogRow,
} from './event-log.ts';

/** A listener as the log sees it. */
export interface Consumer {
  /** The name of its cursor. */
  name: string;
  wants(signal: LoggedSignal): boolean;
  /**
   * Hears signals in the order of the log. A failure of the listener is noted for later; where not even that
   * can be written down this fails, and hears all of them again after a pause.
   */
  hear(signals: readonly LoggedSignal[]): Promise<void>;
  /** Shortest interval between two batches: signals that come sooner are handled together. */
  restMs: number;
}

/** Any number, the same in every process: the process that holds this lock reads the log. */
const readingLock = 7_302_006;
/** How often a standby tries to become the reader. */
const applyEveryMs = secondMs;
/**
 * How often the log is polled for commits of other processes; those of this process are read at once.
 * `alone`: where no other process serves this database, only commands write to it, and they notify.
 */
const pollEveryMs = { busy: 20, quiet: 200, alone: 2 * secondMs };
/** The channel that a command notifies after it has written to the log. */
export const logChannel = 'sameway_log';
/** The pause after a poll that found rows: doubles while polls keep finding some, so that batches grow. */
const rest = { shortestMs: 10, longestMs: 160 };
/** A log without new rows for this time is quiet. */
const quietAfterMs = 5 * secondMs;
/** How often cursors are saved: after a crash, a consumer hears again what it heard since then. */
const saveEveryMs = secondMs;
/** Most signals that a consumer hears together, but for the rest of the last row. */
const heardTogether = 500;
/** Maximum rows that the reader is ahead of the slowest consumer. */
const mostRowsAhead = 4000;
/** The pause before a consumer hears signals again that it could neither hear nor keep for later. */
const hearAgainMs = secondMs;
/** How long the process waits at its end for consumers. */
const endWithinMs = 10 * secondMs;

interface Progress {
  consumer: Consumer;
  /** The number up to which it has heard. */
  position: number;
  /** Where its cursor was last saved. */
  saved: number;
  heardAtMs: number;
  isHearing: boolean;
  /** Resolves when all signals read so far have been handled. */
  hearing: Promise<void>;
}

/** The state of the one process that reads. */
interface Reading {
  client: Client;
  ended: AbortSignal;
  all: Progress[];
  /** The rows that some consumer has not heard, in order. */
  rows: LogRow[];
  readTo: number;
}

/**
 * Numbers what is committed, reads it once for all consumers, and lets each hear what it wants in the order
 * of the numbers. Signals that arrive while a consumer hears are its next batch. One process of an
 * installation reads; another takes over when its connection ends.
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
    this.#quietMs = isAlone ? pollEveryMs.alone : pollEveryMs.quiet;
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

  /** Polls at once: something was committed, or a consumer has heard. */
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

  /** Tries to become the reader until it is, and reads until the connection or the process ends. */
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
      client.on('notification', () => this.nudge());
      await client.query(`listen ${logChannel}`);
      await this.#read({ client, ended, all: [], rows: [], readTo: 0 });
    } finally {
      // The lock ends with its connection.
      end();
    }
  }

  async #read(reading: Reading): Promise<void> {
    const { ended } = reading;
    let restMs = rest.shortestMs;
    let foundAtMs = -Infinity;
    let savedAtMs = performance.now();
    try {
      while (!ended.aborted) {
        this.#isAwake = false;
        const found = await this.#poll(reading);
        if (performance.now() - savedAtMs > saveEveryMs) {
          await saveMoved(reading);
          savedAtMs = performance.now();
        }
        if (found === rowsPerRead) continue;
        if (found > 0) {
          foundAtMs = performance.now();
          await pause(restMs);
          restMs = Math.min(2 * restMs, rest.longestMs);
        } else {
          restMs = rest.shortestMs;
        }
        const isBusy = performance.now() - foundAtMs < quietAfterMs;
        await this.#untilNudged(isBusy ? pollEveryMs.busy : this.#quietMs);
      }
    } finally {
      const heard = Promise.all(reading.all.map(({ hearing }) => hearing));
      await Promise.race([heard, pause(endWithinMs, undefined, { ref: false })]);
      // The next reader lets them hear again what is not saved.
      await saveMoved(reading).catch(() => undefined);
    }
  }

  /** Numbers and reads what has been committed, and lets consumers hear it. @returns how many rows it read */
  async #poll(reading: Reading): Promise<number> {
    await openConsumers(reading, this.#consumers());
    const heardTo = lowest(reading.all);
    reading.rows = reading.rows.filter(({ seq }) => seq > heardTo);
    const { client, readTo } = reading;
    if (reading.rows.length >= mostRowsAhead || !(await isAnythingAfter(client, readTo))) return 0;
    await numberLog(client);
    const rows = await readLog(client, readTo);
    reading.rows.push(...rows);
    reading.readTo = rows.at(-1)?.seq ?? readTo;
    for (const progress of reading.all)
      if (!progress.isHearing) progress.hearing = this.#hear(reading, progress);
    return rows.length;
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

  /**
   * Lets a consumer hear all that was read, also what is read meanwhile. A failure that cannot be written
   * down, as on a full disk, holds up this consumer alone.
   */
  async #hear(reading: Reading, progress: Progress): Promise<void> {
    progress.isHearing = true;
    while (progress.position < reading.readTo) {
      try {
        await this.#hearNext(reading, progress);
      } catch (error) {
        this.#log.error(
          { err: error, consumer: progress.consumer.name },
          'a listener failed, and that could not be noted: it hears the same signals again',
        );
        await pause(hearAgainMs, undefined, { signal: reading.ended }).catch(() => undefined);
        if (reading.ended.aborted) return;
      }
    }
    progress.isHearing = false;
  }

  async #hearNext(reading: Reading, progress: Progress): Promise<void> {
    const { signals, until } = nextBatch(reading, progress);
    if (signals.length > 0) {
      if (await this.#hasRested(progress, signals.length)) return;
      progress.heardAtMs = performance.now();
      await progress.consumer.hear(signals);
      this.nudge();
    }
    progress.position = until;
  }

  /**
   * Waits until a consumer may hear again, unless enough is waiting for it or the process ends.
   * @returns whether it has waited, and there may be more to hear together
   */
  async #hasRested({ consumer, heardAtMs }: Progress, waiting: number): Promise<boolean> {
    const leftMs = heardAtMs + consumer.restMs - performance.now();
    const { signal } = this.#stopping;
    if (leftMs <= 0 || waiting >= heardTogether || signal.aborted) return false;
    await pause(leftMs, undefined, { signal }).catch(() => undefined);
    return true;
  }
}

/**
 * Lets consumers hear everything that is committed, in the calling process, whichever process reads
 * otherwise: for tests and the demo community's past.
 */
export async function hearAll(connection: Connection, consumers: readonly Consumer[]): Promise<void> {
  const cursors = await openCursors(
    connection,
    consumers.map(({ name }) => name),
  );
  for (;;) {
    await numberLog(connection);
    const rows = await readLog(connection, Math.min(...cursors.values()));
    if (rows.length === 0) return;
    for (const consumer of consumers) {
      const ahead = rows.filter(({ seq }) => seq > cursors.get(consumer.name)!);
      const signals = ahead.flatMap((row) => row.signals.filter((signal) => consumer.wants(signal)));
      if (signals.length > 0) await consumer.hear(signals);
      cursors.set(consumer.name, rows.at(-1)!.seq);
    }
    await saveCursors(connection, cursors);
  }
}

async function isReader(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    readingLock,
  ]);
  return rows[0]?.locked === true;
}

/** Listeners may come and go while the log is read: it is read again from the slowest one. */
async function openConsumers(reading: Reading, consumers: readonly Consumer[]): Promise<void> {
  const known = new Map(reading.all.map((progress) => [progress.consumer.name, progress]));
  if (known.size === consumers.length && consumers.every(({ name }) => known.has(name))) return;
  const cursors = await openCursors(
    reading.client,
    consumers.map(({ name }) => name),
  );
  reading.all = consumers.map((consumer) => {
    const position = cursors.get(consumer.name)!;
    const fresh = { consumer, position, saved: position, heardAtMs: -Infinity, isHearing: false };
    return known.get(consumer.name) ?? { ...fresh, hearing: Promise.resolve() };
  });
  reading.rows = [];
  reading.readTo = lowest(reading.all);
}

const lowest = (all: readonly Progress[]): number => Math.min(...all.map(({ position }) => position));

/** Saves the cursors of the consumers that have heard something since their cursors were saved. */
async function saveMoved({ client, all }: Reading): Promise<void> {
  const moved = all.filter(({ position, saved }) => position > saved);
  if (moved.length === 0) return;
  const positions = new Map(moved.map(({ consumer, position }) => [consumer.name, position]));
  await saveCursors(client, positions);
  for (const progress of moved) progress.saved = positions.get(progress.consumer.name)!;
}

/** The signals that a consumer hears next, and the number of the last row that it has then heard. */
function nextBatch(
  { rows, readTo }: Reading,
  { consumer, position }: Progress,
): { signals: LoggedSignal[]; until: number } {
  const signals: LoggedSignal[] = [];
  for (const row of rows) {
    if (row.seq <= position) continue;
    signals.push(...row.signals.filter((signal) => consumer.wants(signal)));
    if (signals.length >= heardTogether) return { signals, until: row.seq };
  }
  return { signals, until: readTo };
}
