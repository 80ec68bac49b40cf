import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { databaseOf, inTransaction, isConnectionLost, readAgain, sqlState, type Db } from './db.ts';
import { holdsLease, keepStep, LeaseLost, stepOf, type Claim } from '../http/idempotency.ts';
import type { KeyedLock } from './keyed-lock.ts';

/** The action under way, when its call carried an `idempotencyKey`. */
interface Action {
  claim: Claim;
  /** Whether the one that happens once is committed, or under way. */
  isStepTaken: boolean;
  /** Its transactions are steps that may each be done again: none of them stands for the whole. */
  isRepeatable: boolean;
}

const currentAction = new AsyncLocalStorage<Action>();

/** Runs `work` as the one action behind an idempotency key. */
export const asAction = <T>(claim: Claim, work: () => Promise<T>): Promise<T> =>
  currentAction.run({ claim, isStepTaken: false, isRepeatable: false }, work);

/**
 * Runs what consists of several transactions, each of which does nothing where it has been done: a try that
 * was cut off between them is begun again from the start, and finishes the rest.
 */
export function inRepeatableSteps<T>(work: () => Promise<T>): Promise<T> {
  const action = currentAction.getStore();
  return action === undefined ? work() : currentAction.run({ ...action, isRepeatable: true }, work);
}

/**
 * Runs `work` in one transaction; PostgreSQL's retryable aborts are retried, and connections that were cut
 * before the commit.
 * @param name the step that it is of its action, which no other transaction of the action has: a release that
 *   finishes what another one began finds by it what is committed. It stays when the code changes.
 * @param line what others wait for too, such as the ride's id: they wait in this process, before a connection
 *   is taken. Such a transaction keeps the plans of its statements.
 */
export type Transact = <T>(
  name: string,
  work: (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>,
  line?: string,
) => Promise<T>;

/** Aborts by PostgreSQL after which the same work may succeed. */
export const retryable = new Set(['40001', '40P01']);
const mostAttempts = 5;
/** Between tries after a cut connection: together as long as a database takes to restart. */
export const cutPausesMs = [20, 100, 300, 1000, 2000, 3000];

/**
 * The door to the database for everything that writes. In an action with an idempotency key the first
 * transaction that is committed notes in itself what it returned, so that a repeat never does it twice: not
 * after a second tap, a lost answer or a crash.
 * @param onCommit called after each commit
 */
export function createTransact(pool: Pool, lines: KeyedLock, onCommit: () => void): Transact {
  return (name, work, line) =>
    line === undefined ? run(name, work, false) : lines.wait(line, () => run(name, work, true));

  async function run<T>(name: string, work: Work<T>, keepsPlans: boolean): Promise<T> {
    const action = currentAction.getStore();
    if (action === undefined) return attempt({ pool, onCommit }, work, { keepsPlans });
    const { claim } = action;
    if (claim.step?.name === name && !action.isStepTaken && !action.isRepeatable) {
      action.isStepTaken = true;
      return claim.step.result as T;
    }
    const step = { claim, name };
    if (action.isRepeatable) return attempt({ pool, onCommit }, work, { keepsPlans, step, isOnce: false });
    if (action.isStepTaken || claim.step !== null) return attempt({ pool, onCommit }, work, { keepsPlans });
    action.isStepTaken = true;
    try {
      return await attempt({ pool, onCommit }, work, { keepsPlans, step, isOnce: true });
    } catch (error) {
      action.isStepTaken = false;
      throw error;
    }
  }
}

/** The kind of a transaction, and its part in an action. */
interface Attempt {
  keepsPlans: boolean;
  step?: { claim: Claim; name: string };
  /** It is the one of its action that happens once. */
  isOnce?: boolean;
}

type Work<T> = (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>;

async function attempt<T>(
  { pool, onCommit }: { pool: Pool; onCommit: () => void },
  work: Work<T>,
  { keepsPlans, step, isOnce = false }: Attempt,
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
        if (step !== undefined && isOnce) await keepStep(tx, step.claim, { name: step.name, result: made });
        else if (step !== undefined && !(await holdsLease(tx, step.claim))) throw new LeaseLost();
        returned = { result: made };
        return made;
      };
      const result = await inTransaction(pool, once, keepsPlans);
      return finish(result);
    } catch (error) {
      if (tries < mostAttempts && retryable.has(sqlState(error) ?? '')) continue;
      if (!isConnectionLost(error)) throw error;
      const reached = returned as { result: T } | null;
      // The connection was cut at the commit: only the step that the action notes shows whether it happened.
      if (reached !== null) {
        if (step === undefined || !isOnce) throw error;
        if ((await readAgain(() => stepOf(databaseOf(pool), step.claim))) === step.name)
          return finish(reached.result);
      }
      const pauseMs = cutPausesMs[cuts++];
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs);
    }
  }
}
