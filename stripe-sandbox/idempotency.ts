import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { dayMs, later } from './clock.ts';
import type { Db } from './schema.ts';
import type { KeptObjects } from './kept-objects.ts';
import { lockKey, readNeeds, type Needs } from './store.ts';

const keysLiveMs = dayMs;
const anyObject = z.looseObject({});

/** How a request ended. */
export interface Result {
  status: number;
  answer: object;
  /** Whether it is stored under the idempotency key. */
  isKept: boolean;
  isReplayed?: boolean;
}

/** A request, by its idempotency key where it carries one. */
export interface KeyedRequest {
  account: string;
  key: string | null;
  path: string;
  text: string;
}

/** The objects that a request names. */
export type Names = Omit<Needs, 'account' | 'key' | 'since'>;

interface Work {
  now: () => Date;
  names: Names;
  perform: () => Promise<Result>;
}

/**
 * The first answer of a key, again; or the work, with its answer stored in the same transaction. Objects that
 * the request names are read with the answer.
 */
export async function onlyOnce(
  tx: Db,
  objects: KeptObjects,
  { account, key, path, text }: KeyedRequest,
  { now: nowOf, names, perform }: Work,
): Promise<Result> {
  // In a statement of its own: what is read after it includes what the key's last request has written.
  if (key !== null && !(await lockKey(tx, account, key)))
    throw new ApiError(
      409,
      'idempotency_error',
      `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
      { code: 'idempotency_key_in_use' },
    );
  const now = nowOf();
  const needs = { account, key, since: later(now, -keysLiveMs), ...names };
  const { kept, objects: named } = await readNeeds(tx, needs);
  objects.note(named);
  const fingerprint = createHash('sha256').update(`${path}\n${text}`).digest('hex');
  if (kept !== null) {
    if (kept.fingerprint !== fingerprint)
      throw new ApiError(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    return { status: kept.status, answer: anyObject.parse(kept.answer), isKept: true, isReplayed: true };
  }
  const result = await perform();
  const { status, answer } = result;
  const isKept = key !== null && result.isKept;
  await objects.write(isKept ? { account, key, fingerprint, status, answer, createdAt: now } : null);
  return result;
}
