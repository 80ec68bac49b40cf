import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { refuseField, Refusal } from '../../platform/refusal.ts';
import { tryLimits } from './policy.ts';
import {
  codeLifeMs,
  codeTries,
  hashCode,
  newCode,
  resendAfterSeconds,
  sameHash,
  type CodePurpose,
} from './rules/code.ts';
import * as store from './store.ts';

/** Allows one code a minute per recipient, and a few an hour per requester. */
export async function limitCodes(
  { tries }: App,
  to: string,
  purpose: CodePurpose,
  origin: Origin,
): Promise<void> {
  await tries.count(`codes:${origin.address}`, tryLimits.codesPerAddress);
  await tries.count(`codes:${purpose}:${to}:${origin.address}`, tryLimits.codesPerAccountAndAddress);
  await tries.count(`code:${purpose}:${to}`, { most: 1, withinSeconds: resendAfterSeconds });
  await tries.count(`codes:${purpose}:${to}`, tryLimits.codesPerAccount);
}

/** Creates a code for a recipient; the previous one stops working. */
export async function makeCode({ clock }: App, tx: Db, to: string, purpose: CodePurpose): Promise<string> {
  const code = newCode();
  const now = clock.now();
  const codeHash = hashCode(await store.codeKey(tx), purpose, to, code);
  await store.keepCode(tx, {
    email: to,
    purpose,
    codeHash,
    sentAt: now,
    expiresAt: later(now, codeLifeMs),
  });
  return code;
}

/**
 * Checks a code and returns its id, which the caller uses up in the transaction that acts on it. Runs
 * outside of a transaction, so that the try counts even when the call is refused. Refuses
 * `access.codeWrong`, `access.codeExpired`.
 */
export async function checkCode(
  { tries, db, clock }: App,
  { to, purpose, code }: { to: string; purpose: CodePurpose; code: string },
  origin: Origin,
): Promise<string> {
  await tries.count(`tries:${origin.address}`, tryLimits.codeTriesPerAddress);
  const open = await store.countTry(db, to, purpose, clock.now());
  if (open === null) throw codeExpired();
  try {
    const ofCode = { most: codeTries, withinSeconds: codeLifeMs / 1000 };
    await tries.count(`try:${open.id}:${origin.address}`, ofCode);
  } catch (error) {
    throw error instanceof Refusal ? codeExpired() : error;
  }
  if (!sameHash(open.codeHash, hashCode(await store.codeKey(db), purpose, to, code))) throw codeWrong();
  return open.id;
}

const codeWrong = () => refuseField('access.codeWrong', 'code', 'That code isn’t right.');
export const codeExpired = () =>
  refuseField('access.codeExpired', 'code', 'This code has expired. Please get a new one.');
