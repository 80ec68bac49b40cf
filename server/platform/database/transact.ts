import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { databaseOf, inTransaction, isConnectionLost, readAgain, sqlState, type Db } from './db.ts';
import { holdsLease, keepStep, LeaseLost, stepOf, type Claim } from '../http/idempotency.ts';
import type { KeyedLock } from './keyed-lock.ts';

/**
 * Runs `work` in one transaction; PostgreSQL's retryable aborts are retried, and connections that were cut
 * before the commit.
 * @param name the step that it is of its action, which no other transaction of the action has: a release that
 *   finishes what another one began finds by it what is committed. It stays when the code changes.
 * @param queue what others wait for too, such as the ride's id: they wait in this process, before a
 *   connection is taken.
 */
export type Transact = <T>(
  name: string,
  work: (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>,
  queue?: string,
) => Promise<T>;

/** Aborts by PostgreSQL after which the same work may succeed. */
export const retryable = new Set(['40001', '40P01']);
/** Changes of the database. */
export interface Transactions {
  transact: Transact;
  /**
   * The same for what consists of several transactions, each of which does nothing where it has been done: a
   * try that was cut off between them is begun again from the start, and finishes the rest.
   */
  transactRepeatably: Transact;
  /** Both for the one action behind an `idempotencyKey`. */
  forAction: (claim: Claim) => Pick<Transactions, 'transact' | 'transactRepeatably'>;
}

const mostAttempts = 5;
/** Between tries after a cut connection: together as long as a database takes to restart. */
export const cutPausesMs = [20, 100, 300, 1000, 2000, 3000];

/**
 * The door to the database for everything that writes. In an action with an idempotency key the first
 * transaction that is committed notes in itself what it returned, so that a repeat never does it twice: not
 * after a second tap, a lost answer or a crash.
 * @param onCommit called after each commit
 */
export function createTransactions(pool: Pool, queues: KeyedLock, onCommit: () => void): Transactions {
  const to = { pool, onCommit };
  const inQueue =
    (run: Run): Transact =>
    (name, work, queue) =>
      queue === undefined ? run(name, work) : queues.wait(queue, () => run(name, work));
  const transact = inQueue((_name, work) => attempt(to, work));
  return {
    transact,
    transactRepeatably: transact,
    forAction: (claim) => ({
      transact: inQueue(onceOf(to, claim)),
      transactRepeatably: inQueue((name, work) => attempt(to, work, { claim, name, isOnce: false })),
    }),
  };
}

type Run = <T>(name: string, work: Work<T>) => Promise<T>;

/** Runs the transactions of one action: one of them happens once, and notes that it has. */
function onceOf(to: { pool: Pool; onCommit: () => void }, claim: Claim): Run {
  /** Whether the one that happens once is committed, or under way. */
  let isStepTaken = false;
  return async <T>(name: string, work: Work<T>): Promise<T> => {
    if (claim.step?.name === name && !isStepTaken) {
      isStepTaken = true;
      return claim.step.result as T;
    }
    if (isStepTaken || claim.step !== null) return attempt(to, work);
    isStepTaken = true;
    try {
      return await attempt(to, work, { claim, name, isOnce: true });
    } catch (error) {
      isStepTaken = false;
      throw error;
    }
  };
}

/** A transaction of an action. */
interface Step {
  claim: Claim;
  name: string;
  /** It is the one that happens once. */
  isOnce: boolean;
}

type Work<T> = (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>;

async function attempt<T>(
  { pool, onCommit }: { pool: Pool; onCommit: () => void },
  work: Work<T>,
  step: Step | null = null,
): Promise<T> {
  let cuts = 0;
  for (let tries = 1; ; tries++) {
    let tasks: (() => void)[] = [];
    let returned: { result: T } | null = null;
    const finish = (result: T): T => {
      onCommit();
      for (const task of tasks) task();
      return result;
    };
    try {
      const once = async (tx: Db) => {
        tasks = [];
        const made = await work(tx, (task) => tasks.push(task));
        if (step?.isOnce === true) await keepStep(tx, step.claim, { name: step.name, result: made });
        else if (step !== null && !(await holdsLease(tx, step.claim))) throw new LeaseLost();
        returned = { result: made };
        return made;
      };
      const result = await inTransaction(pool, once, true);
      return finish(result);
    } catch (error) {
      if (tries < mostAttempts && retryable.has(sqlState(error) ?? '')) continue;
      if (!isConnectionLost(error)) throw error;
      const reached = returned as { result: T } | null;
      // The connection was cut at the commit: only the step that the action notes shows whether it happened.
      if (reached !== null) {
        if (step?.isOnce !== true) throw error;
        if ((await readAgain(() => stepOf(databaseOf(pool), step.claim))) === step.name)
          return finish(reached.result);
      }
      const pauseMs = cutPausesMs[cuts++];
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs);
    }
  }
}
