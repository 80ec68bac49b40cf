import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { secondMs } from '../clock.ts';
import type { Log } from '../observability/log.ts';
import { busy } from '../refusal.ts';
import {
  inTransaction,
  isConnectionLost,
  openPoolBeside,
  tryInTransaction,
  type Db,
  type Tried,
} from './db.ts';
import type { KeyedLock } from './keyed-lock.ts';

/** So many transactions are under way at once. */
const connections = 2;
/**
 * A transaction that begins is the only one for so long: work that comes meanwhile goes together in the next
 * one. A transaction that takes longer waits for another process, and holds up no other work.
 */
const exclusiveMs = 50;
/** So many pieces of work share one transaction. */
const mostTogether = 16;
const longestWaitMs = 10 * secondMs;

/**
 * What became of a piece of work: it is committed or refused, it is to be done in a transaction of its own,
 * or the connection was cut at the commit, with what it would have returned.
 */
export type SharedOutcome<T> = Tried<T> | 'alone' | { made: T; cut: unknown };

/** Pieces of work that share transactions: each locks something, all of it by one statement. */
export interface Sharing<Wish> {
  /** What others wait for too, as the `line` of a transaction. */
  lineOf(wish: Wish): string;
  /** @returns of which wishes everything is locked; work on the others is done alone */
  lock(tx: Db, wishes: readonly Wish[]): Promise<readonly boolean[]>;
}

/** A place in a transaction that is shared. */
export interface SharedPlace {
  run<T>(work: (tx: Db) => Promise<T>): Promise<SharedOutcome<T>>;
}

/** @param wish what the work locks */
export type ShareTransactions = <Wish>(sharing: Sharing<Wish>) => (wish: Wish) => SharedPlace;

/** The pool of shared transactions, whose connections keep plans that read no table through. */
export const openSharedPool = (pool: Pool, log: Log): Pool =>
  openPoolBeside(
    pool,
    {
      max: connections,
      name: 'sameway shared transactions',
      options:
        '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c plan_cache_mode=force_generic_plan',
    },
    (error) => log.warn({ err: error }, 'a connection for shared transactions broke'),
  );

interface Waiting<Wish> {
  wish: Wish;
  sinceMs: number;
  work: (tx: Db) => Promise<unknown>;
  /** Runs something as the caller would have. */
  within: <R>(run: () => R) => R;
  settle: (outcome: SharedOutcome<unknown>) => void;
}

/** What is known of a piece of work before the commit. */
type Reached = Tried<unknown> | 'alone';

/**
 * Work that comes while transactions are under way is done together in the next one (decision 0106): one
 * statement locks what each of them needs, each works on what was read, one after another, and one statement
 * writes what all of them have changed. Work that is refused leaves nothing. Where the transaction fails,
 * each is done in one of its own.
 */
export class SharedTransactions<Wish> {
  readonly #pool: Pool;
  readonly #lines: KeyedLock;
  readonly #sharing: Sharing<Wish>;
  #waiting: Waiting<Wish>[] = [];
  #underWay = 0;
  /** Runs while the transaction that began last is the only one. */
  #exclusive: NodeJS.Timeout | null = null;
  #isWaking = false;
  /** The lines of transactions under way. */
  readonly #held = new Set<string>();

  constructor(pool: Pool, lines: KeyedLock, sharing: Sharing<Wish>) {
    this.#pool = pool;
    this.#lines = lines;
    this.#sharing = sharing;
  }

  /** A place in the next transaction. */
  place(wish: Wish): SharedPlace {
    return {
      run: <T>(work: (tx: Db) => Promise<T>) =>
        new Promise<SharedOutcome<T>>((settle) => {
          this.#waiting.push({
            wish,
            sinceMs: performance.now(),
            work,
            within: AsyncLocalStorage.snapshot(),
            settle: settle as Waiting<Wish>['settle'],
          });
          this.#wake();
        }),
    };
  }

  /** What is asked in the same turn of the event loop comes along. */
  #wake(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    while (this.#underWay < connections && this.#exclusive === null && this.#waiting.length > 0) {
      const { works, free } = this.#takeNext();
      if (works.length === 0) return;
      this.#underWay++;
      void this.#run(works, free);
    }
  }

  async #run(works: readonly Waiting<Wish>[], free: () => void): Promise<void> {
    const endExclusive = this.#beginExclusive();
    const outcomes = await this.#carryOut(works);
    endExclusive();
    free();
    this.#underWay--;
    for (const [place, { settle }] of works.entries()) settle(outcomes[place]!);
    this.#goOn();
  }

  /** Takes what waits for the next transaction, as far as its lines are free, and those. */
  #takeNext(): { works: Waiting<Wish>[]; free: () => void } {
    const taken = new Map<string, () => void>();
    const works: Waiting<Wish>[] = [];
    const rest: Waiting<Wish>[] = [];
    for (const each of this.#waiting) {
      const line = this.#sharing.lineOf(each.wish);
      const free = works.length < mostTogether && !taken.has(line) ? this.#lines.take(line) : null;
      if (free !== null) taken.set(line, free);
      if (works.length < mostTogether && taken.has(line)) works.push(each);
      else if (performance.now() - each.sinceMs > longestWaitMs) each.settle({ error: busy() });
      else if (works.length === mostTogether || this.#held.has(line)) rest.push(each);
      // Another kind of transaction has the line.
      else each.settle('alone');
    }
    this.#waiting = rest;
    for (const line of taken.keys()) this.#held.add(line);
    const free = () => {
      for (const [line, release] of taken) {
        this.#held.delete(line);
        release();
      }
    };
    return { works, free };
  }

  /** @returns what ends it at the end of a transaction; time ends it before */
  #beginExclusive(): () => void {
    const timer = setTimeout(() => {
      this.#exclusive = null;
      this.#goOn();
    }, exclusiveMs);
    this.#exclusive = timer;
    return () => {
      clearTimeout(timer);
      if (this.#exclusive === timer) this.#exclusive = null;
    };
  }

  async #carryOut(works: readonly Waiting<Wish>[]): Promise<SharedOutcome<unknown>[]> {
    let reached: Reached[] | null = null;
    const workOnAll = async (tx: Db): Promise<Reached[]> => {
      const outcomes: Reached[] = [];
      const wishes = works.map(({ wish }) => wish);
      const areLocked = await this.#sharing.lock(tx, wishes);
      for (const [place, { work, within }] of works.entries())
        outcomes.push(
          areLocked[place] === true ? await tryInTransaction(tx, () => work(tx), within) : 'alone',
        );
      reached = outcomes;
      return outcomes;
    };
    try {
      return await inTransaction(this.#pool, workOnAll, undefined, 'connection');
    } catch (error) {
      const outcomes = reached as Reached[] | null;
      if (outcomes === null || !isConnectionLost(error)) return works.map(() => 'alone' as const);
      return outcomes.map((outcome) =>
        outcome !== 'alone' && 'made' in outcome ? { ...outcome, cut: error } : 'alone',
      );
    }
  }
}
