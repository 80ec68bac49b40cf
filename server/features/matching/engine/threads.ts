import { EngineThread } from './client.ts';
import type { Ask, Census, Change, EngineRoads, PairAsk, SnapshotPlace } from './engine.ts';
import type { Answer, PairVerdict } from './entries.ts';
import type { SnapshotFacts } from './snapshot.ts';

/**
 * Starts an index in one or several threads.
 * @param count how many of them answer; each has all orders, and they share the roads and what is derived of
 *   them
 * @throws ThreadEnded when the first one ends before it has the roads
 */
export async function startEngine(roads: EngineRoads, count: number): Promise<EngineThreads> {
  const first = new EngineThread(roads);
  if (count === 1) return new EngineThreads([first]);
  // Data that takes a country's roads a minute to derive is derived by one thread for all.
  const { cells, times } = await first.derived();
  const { shared } = roads;
  const others = Array.from({ length: count - 1 }, () => new EngineThread({ shared, cells, times }));
  return new EngineThreads([first, ...others]);
}

/** The index in its threads: all hear of every change, and each question goes to the least busy one. */
export class EngineThreads {
  /** Resolves when a thread has ended, which ends the others: with null after a requested end. */
  readonly ended: Promise<Error | null>;
  private readonly threads: readonly [EngineThread, ...EngineThread[]];

  constructor(threads: readonly [EngineThread, ...EngineThread[]]) {
    this.threads = threads;
    this.ended = Promise.race(threads.map(({ ended }) => ended));
    // A part of the threads would answer as before, and the next engine needs their memory.
    void this.ended.then(() => this.close());
  }

  /** Searches and pairs to judge that no thread has answered yet. */
  get waiting(): number {
    return this.threads.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Sends changes; every later question sees them. */
  take(changes: readonly Change[]): void {
    for (const thread of this.threads) thread.take(changes);
  }

  /** @throws ThreadEnded when the thread ends before it answers. */
  ask(ask: Ask): Promise<{ answer: Answer; tookMs: number }> {
    return this.leastBusy().ask(ask);
  }

  /** @throws ThreadEnded when the thread ends before it answers. */
  judge(ask: PairAsk): Promise<PairVerdict[]> {
    // One thread caches the requests of alerts for the next ride.
    return (ask.kind === 'ridePairs' ? this.threads[0] : this.leastBusy()).judge(ask);
  }

  /** The contents of the index after all changes sent so far; its bytes are those of all threads. */
  async census(): Promise<Census> {
    const all = await Promise.all(this.threads.map((thread) => thread.census()));
    return { ...all[0]!, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /**
   * Writes what the index holds after all changes sent so far to a file.
   * @throws Error when the file cannot be written.
   */
  save(place: SnapshotPlace, facts: SnapshotFacts): Promise<void> {
    return this.threads[0].save(place, facts);
  }

  /**
   * Fills all threads, still empty, from a file; null where that is not possible. Send no changes before it
   * has answered.
   */
  async load(place: SnapshotPlace): Promise<SnapshotFacts | null> {
    const all = await Promise.all(this.threads.map((thread) => thread.load(place)));
    const [first = null] = all;
    // The file may have been replaced in between.
    return all.every((facts) => facts !== null && facts.seq === first?.seq) ? first : null;
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** The last of those with the fewest open questions: the first one has the alerts too. */
  private leastBusy(): EngineThread {
    return this.threads.reduce((least, each) => (each.waiting <= least.waiting ? each : least));
  }
}
