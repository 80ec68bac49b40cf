import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  databaseOf,
  inTransaction,
  isConnectionLost,
  noteForCommit,
  readAgain,
  sqlState,
  writeLastPart,
  type Db,
} from './db.ts';
import { holdsLease, keepingSteps, keepStep, LeaseLost, stepOf, type Claim } from '../http/idempotency.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { SharedPlace } from './shared-transactions.ts';

/** The action under way, when its call carried an `idempotencyKey`. */
interface Action {
  claim: Claim;
  /** How many transactions it has begun, in this try. */
  begun: number;
  /** Whether the one that happens once is committed, or under way. */
  isStepTaken: boolean;
  /** Its transactions are steps that may each be done again: none of them stands for the whole. */
  isRepeatable: boolean;
}

const currentAction = new AsyncLocalStorage<Action>();

/** Runs `work` as the one action behind an idempotency key. */
export const asAction = <T>(claim: Claim, work: () => Promise<T>): Promise<T> =>
  currentAction.run({ claim, begun: 0, isStepTaken: false, isRepeatable: false }, work);

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
 * @param line what others wait for too, such as the ride's id: they wait in this process, before a connection
 *   is taken. Such a transaction keeps the plans of its statements.
 * @param place in a transaction that is shared with other work (`ShareTransactions`), where that goes
 */
export type Transact = <T>(
  work: (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>,
  line?: string,
  place?: SharedPlace,
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
 */
export function createTransact(pool: Pool, lines: KeyedLock): Transact {
  const db = databaseOf(pool);
  return (work, line, place) =>
    line === undefined || place !== undefined
      ? run(work, { line, place })
      : lines.wait(line, () => run(work, { isInLine: true }));

  async function run<T>(work: Work<T>, way: Way): Promise<T> {
    const action = currentAction.getStore();
    if (action === undefined) return attempt(work, { way });
    const place = ++action.begun;
    const { claim } = action;
    const code = codeOf(work);
    if (claim.step?.place === place && claim.step.code === code && !action.isRepeatable) {
      action.isStepTaken = true;
      return claim.step.result as T;
    }
    const step = { claim, place, code };
    if (action.isRepeatable) return attempt(work, { way, step, isOnce: false });
    if (action.isStepTaken || claim.step !== null) return attempt(work, { way });
    action.isStepTaken = true;
    try {
      return await attempt(work, { way, step, isOnce: true });
    } catch (error) {
      action.isStepTaken = false;
      throw error;
    }
  }

  async function attempt<T>(work: Work<T>, of: Attempt): Promise<T> {
    const { line, place } = of.way;
    // A step that may be done again holds its lease by a statement of its own.
    if (place !== undefined && (of.step == null || of.isOnce === true)) {
      const together = await attemptTogether(db, work, of, place);
      if (together !== null) return together.result;
    }
    const keepsPlans = line !== undefined || of.way.isInLine === true;
    const alone = () => attemptAlone(pool, work, of, keepsPlans);
    return line === undefined ? alone() : lines.wait(line, alone);
  }
}

/** How a transaction is made: in a shared one, or alone, where it is its turn in the line or is already. */
interface Way {
  line?: string | undefined;
  place?: SharedPlace | undefined;
  isInLine?: boolean;
}

/** What is known of a transaction that is tried, and what of an action it is. */
interface Attempt {
  way: Way;
  step?: { claim: Claim; place: number; code: string } | null;
  /** It is the one of its action that happens once. */
  isOnce?: boolean;
}

type Work<T> = (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>;

const codeOf = (work: unknown): string =>
  createHash('sha256').update(String(work)).digest('base64url').slice(0, 16);

/** In a shared transaction; null where the work is to be done alone. */
async function attemptTogether<T>(
  db: Db,
  work: Work<T>,
  { step = null }: Attempt,
  place: SharedPlace,
): Promise<{ result: T } | null> {
  const tasks: (() => void)[] = [];
  const outcome = await place.run(async (tx) => {
    const result = await work(tx, (task) => tasks.push(task));
    if (step !== null) {
      const { claim, code } = step;
      noteForCommit(tx, keepingSteps, { claim, step: { place: step.place, code, result } });
    }
    return result;
  });
  if (outcome === 'alone') return null;
  if ('error' in outcome) throw outcome.error;
  if ('cut' in outcome) {
    if (step === null) throw outcome.cut;
    if ((await readAgain(() => stepOf(db, step.claim))) !== step.place) return null;
  }
  for (const task of tasks) task();
  return { result: outcome.made };
}

async function attemptAlone<T>(
  pool: Pool,
  work: Work<T>,
  { step = null, isOnce = false }: Attempt,
  keepsPlans: boolean,
): Promise<T> {
  let cuts = 0;
  for (let tries = 1; ; tries++) {
    let tasks: (() => void)[] = [];
    let returned: { result: T } | null = null;
    const finish = (result: T): T => {
      for (const task of tasks) task();
      return result;
    };
    try {
      const once = async (tx: Db) => {
        tasks = [];
        const made = await work(tx, (task) => tasks.push(task));
        if (step !== null) await writeLastPart(tx);
        if (step !== null && isOnce)
          await keepStep(tx, step.claim, { place: step.place, code: step.code, result: made });
        else if (step !== null && !(await holdsLease(tx, step.claim))) throw new LeaseLost();
        returned = { result: made };
        return made;
      };
      const result = await inTransaction(pool, once, undefined, keepsPlans ? 'transaction' : null);
      return finish(result);
    } catch (error) {
      if (tries < mostAttempts && retryable.has(sqlState(error) ?? '')) continue;
      if (!isConnectionLost(error)) throw error;
      const reached = returned as { result: T } | null;
      // Cut at the commit: only where the action notes its step can be told whether it happened.
      if (reached !== null) {
        if (step === null || !isOnce) throw error;
        if ((await readAgain(() => stepOf(databaseOf(pool), step.claim))) === step.place)
          return finish(reached.result);
      }
      const pauseMs = cutPausesMs[cuts++];
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs);
    }
  }
}
