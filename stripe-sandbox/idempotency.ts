import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { dayMs, later } from './clock.ts';
import type { Db } from './schema.ts';
import { keepAnswer, keptAnswer, lockKey } from './store.ts';

const keysLiveMs = dayMs;
const anyObject = z.looseObject({});

/** How a request ended. */
export interface Result {
  status: number;
  answer: object;
  /** Whether it is kept under the idempotency key. */
  isKept: boolean;
  isReplayed?: boolean;
}

/** A request that carries an idempotency key. */
export interface KeyedRequest {
  account: string;
  key: string;
  path: string;
  text: string;
}

/** The first answer of a key, again; or the work, with its answer kept in the same transaction. */
export async function onlyOnce(
  tx: Db,
  { account, key, path, text }: KeyedRequest,
  nowOf: () => Date,
  perform: (tx: Db) => Promise<Result>,
): Promise<Result> {
  if (!(await lockKey(tx, account, key)))
    throw new ApiError(
      409,
      'idempotency_error',
      `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
      { code: 'idempotency_key_in_use' },
    );
  const fingerprint = createHash('sha256').update(`${path}\n${text}`).digest('hex');
  const now = nowOf();
  const kept = await keptAnswer(tx, account, key, later(now, -keysLiveMs));
  if (kept !== null) {
    if (kept.fingerprint !== fingerprint)
      throw new ApiError(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    return { status: kept.status, answer: anyObject.parse(kept.answer), isKept: true, isReplayed: true };
  }
  const result = await perform(tx);
  const { status, answer } = result;
  if (result.isKept) await keepAnswer(tx, { account, key, fingerprint, status, answer, createdAt: now });
  return result;
}
