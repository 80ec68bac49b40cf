import { Worker } from 'node:worker_threads';
import type { Ask, Census, Change, DerivedRoads, EngineRoads, PairAsk, SnapshotPlace } from './engine.ts';
import type { Answer, PairVerdict } from './entries.ts';
import type { SnapshotFacts } from './snapshot.ts';
import type { FromThread, ToThread } from './thread.ts';

/** Changes per message: few enough that a question in between does not wait long. */
const changesAtOnce = 256;

/** The thread ended while a question was open. */
export class ThreadEnded extends Error {}

/** The client side of an index in its own thread. */
export class EngineThread {
  /** Resolves when the thread has ended: with null after a requested end, else with the error. */
  readonly ended: Promise<Error | null>;
  private readonly worker: Worker;
  private readonly open = new Map<
    number,
    { done: (message: FromThread) => void; fail: (error: Error) => void }
  >();
  private next = 0;
  private questions = 0;
  private isClosed = false;
  private hasEnded = false;

  constructor(roads: EngineRoads) {
    this.worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: roads });
    // An idle process may exit.
    this.worker.unref();
    let reason: Error | null = null;
    this.worker.on('error', (error) => (reason = error instanceof Error ? error : new Error(String(error))));
    this.worker.on('message', (message: FromThread) => {
      this.open.get(message.number)?.done(message);
      this.open.delete(message.number);
      if (this.open.size === 0) this.worker.unref();
    });
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        this.hasEnded = true;
        for (const { fail } of this.open.values())
          fail(new ThreadEnded('the index ended', { cause: reason }));
        this.open.clear();
        resolve(this.isClosed ? null : (reason ?? new Error('the index ended unasked')));
      });
    });
  }

  /** Searches and pairs to judge that it has not answered yet. */
  get waiting(): number {
    return this.questions;
  }

  /** Sends changes; every later question sees them. */
  take(changes: readonly Change[]): void {
    for (let from = 0; from < changes.length; from += changesAtOnce)
      this.post({ kind: 'changes', changes: changes.slice(from, from + changesAtOnce) });
  }

  /** @throws ThreadEnded when the thread ends before it answers. */
  async ask(ask: Ask): Promise<{ answer: Answer; tookMs: number }> {
    const message = await this.question((number) => ({ kind: 'ask', number, ask }));
    if (message.kind !== 'answer') throw new Error(`asked for an answer, got ${message.kind}`);
    return message;
  }

  /** @throws ThreadEnded when the thread ends before it answers. */
  async judge(ask: PairAsk): Promise<PairVerdict[]> {
    const message = await this.question((number) => ({ kind: 'judge', number, ask }));
    if (message.kind !== 'verdicts') throw new Error(`asked for verdicts, got ${message.kind}`);
    return message.verdicts;
  }

  /** The contents of the index after all changes sent so far. */
  async census(): Promise<Census> {
    const message = await this.answered((number) => ({ kind: 'census', number }));
    if (message.kind !== 'census') throw new Error(`asked for a census, got ${message.kind}`);
    return message.census;
  }

  /**
   * Writes what the index holds after all changes sent so far to a file.
   * @throws Error when the file cannot be written.
   */
  async save(place: SnapshotPlace, facts: SnapshotFacts): Promise<void> {
    const message = await this.answered((number) => ({ kind: 'save', number, place, facts }));
    if (message.kind !== 'saved') throw new Error(`asked to save, got ${message.kind}`);
    if (message.problem !== null) throw new Error(message.problem);
  }

  /**
   * Fills the index, still empty, from a file; null where that is not possible. Send no changes before it has
   * answered.
   */
  async load(place: SnapshotPlace): Promise<SnapshotFacts | null> {
    const message = await this.answered((number) => ({ kind: 'load', number, place }));
    if (message.kind !== 'loaded') throw new Error(`asked to load, got ${message.kind}`);
    return message.facts;
  }

  /** The data derived from the roads, in memory that other threads can share. */
  async derived(): Promise<DerivedRoads> {
    const message = await this.answered((number) => ({ kind: 'derived', number }));
    if (message.kind !== 'derived') throw new Error(`asked for what is derived, got ${message.kind}`);
    return message.derived;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker.terminate();
  }

  private async question(message: (number: number) => ToThread): Promise<FromThread> {
    this.questions++;
    try {
      return await this.answered(message);
    } finally {
      this.questions--;
    }
  }

  private answered(message: (number: number) => ToThread): Promise<FromThread> {
    const number = this.next++;
    return new Promise((done, fail) => {
      // A message to a thread that has ended would never be answered.
      if (this.isClosed || this.hasEnded) return fail(new ThreadEnded('the index is closed'));
      this.open.set(number, { done, fail });
      // A pending question keeps the process alive.
      this.worker.ref();
      this.post(message(number));
    });
  }

  private post(message: ToThread): void {
    this.worker.postMessage(message);
  }
}
