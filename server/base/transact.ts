import { AsyncLocalStorage } from 'node:async_hooks';
import { and, eq } from 'drizzle-orm';
import { idempotency } from '../tables/house.ts';
import type { Clock } from './clock.ts';
import { sqlState, type Db } from './db.ts';

/** The action under way, when its call carried an `idempotencyKey`. */
interface Action {
  userId: string;
  key: string;
  path: string;
  claimed: boolean;
}

const currentAction = new AsyncLocalStorage<Action>();

/** Thrown inside an action whose key has been used before: its first answer stands. */
export class AlreadyDone extends Error {}

/** Runs `work` as the one action behind an idempotency key. */
export const asAction = <T>(action: Omit<Action, 'claimed'>, work: () => Promise<T>): Promise<T> =>
  currentAction.run({ ...action, claimed: false }, work);

/** Runs `work` in one transaction; PostgreSQL's retryable aborts are retried. */
export type Transact = <T>(
  work: (tx: Db, afterCommit: (task: () => void) => void) => Promise<T>,
) => Promise<T>;

const retryable = new Set(['40001', '40P01']);

/**
 * The door to the database for everything that writes. Inside an action with an idempotency key, the key is claimed in
 * the same transaction as the action's effect, so that neither a second tap nor a crash can do a thing twice.
 */
export function createTransact(db: Db, clock: Clock): Transact {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      const tasks: (() => void)[] = [];
      const action = currentAction.getStore();
      const claims = action !== undefined && !action.claimed;
      try {
        const result = await db.transaction(async (tx) => {
          if (claims) await claim(tx, action, clock.now());
          return work(tx, (task) => tasks.push(task));
        });
        if (claims) action.claimed = true;
        for (const task of tasks) task();
        return result;
      } catch (error) {
        if (attempt < 5 && retryable.has(sqlState(error) ?? '')) continue;
        throw error;
      }
    }
  };
}

async function claim(tx: Db, action: Action, now: Date): Promise<void> {
  const { userId, key, path } = action;
  const rows = await tx
    .insert(idempotency)
    .values({ userId, key, path, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotency.key });
  if (rows.length === 0) throw new AlreadyDone();
}

/** The answer that the first use of a key got; null while unused, `{ answer: null }` when its process died before noting it. */
export async function earlierAnswer(
  db: Db,
  userId: string,
  key: string,
): Promise<{ path: string; answer: unknown } | null> {
  const rows = await db
    .select({ path: idempotency.path, answer: idempotency.answer })
    .from(idempotency)
    .where(and(eq(idempotency.userId, userId), eq(idempotency.key, key)));
  return rows[0] ?? null;
}

export async function noteAnswer(db: Db, userId: string, key: string, answer: unknown): Promise<void> {
  await db
    .update(idempotency)
    .set({ answer })
    .where(and(eq(idempotency.userId, userId), eq(idempotency.key, key)));
}
