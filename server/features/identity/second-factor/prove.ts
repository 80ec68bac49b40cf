import type { z } from 'zod';
import type * as calls from '#contract/access/second-factor.ts';
import type { ProofWay } from '#contract/access/second-factor.ts';
import type { OutputOf } from '#contract/define.ts';
import { later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Origin } from '../../../platform/http/origin.ts';
import type { Platform } from '../../../platform/platform.ts';
import { noSession, refuseField, Refusal } from '../../../platform/refusal.ts';
import { proofLifeMs } from '../../../platform/security/proofs.ts';
import { confirmsPassword } from '../change-password.ts';
import { codeExpired } from '../codes.ts';
import { resendAfterSeconds } from '../rules/code.ts';
import { proofCodeEmail } from '../rules/emails.ts';
import { noteProof } from '../sign-ins/store.ts';
import { findUserById, holdUser, type UserRow } from '../store.ts';
import { checkFactor } from './check-factor.ts';
import type { FactorContext } from './context.ts';
import * as store from './store.ts';
import { factorWays } from './view.ts';

/**
 * How a person can confirm their identity: with their second factor, or else their password, or else a code
 * by email.
 */
async function waysOf(db: Db, { id, passwordHash }: UserRow): Promise<ProofWay[]> {
  const ways = factorWays(await store.factorsOf(db, id));
  if (ways.length > 0) return ways;
  return passwordHash === '' ? ['email'] : ['password'];
}

async function personOf(db: Db, userId: string): Promise<UserRow> {
  const person = await findUserById(db, userId);
  if (person === null) throw noSession();
  return person;
}

/** The ways in which the caller can confirm their identity, with the options for a passkey. */
export async function proveOptions(
  { platform: { db }, ceremonies }: FactorContext,
  { userId }: Caller,
): Promise<OutputOf<typeof calls.proveOptions>> {
  const ways = await waysOf(db, await personOf(db, userId));
  if (!ways.includes('passkey') || ceremonies.passkeysFor === null) return { ways, ceremony: null };
  const { passkeys } = await store.factorsOf(db, userId);
  return { ways, ceremony: await ceremonies.toSign('prove', userId, passkeys) };
}

/** Emails a code to a person who has no other way. Refuses `factor.otherWay`. */
export async function sendProofCode(
  { platform: { db, transact, outbox }, codes }: FactorContext,
  { userId }: Caller,
  origin: Origin,
): Promise<{ resendAfterSeconds: number }> {
  const person = await personOf(db, userId);
  if (!(await waysOf(db, person)).includes('email')) throw otherWay();
  await codes.limitAsking(userId, 'prove', origin);
  await transact(async (tx) => {
    const code = await codes.make(tx, userId, 'prove');
    await outbox.post(tx, { to: person.email, ...proofCodeEmail(person.language, code) });
  });
  return { resendAfterSeconds };
}

/**
 * Records that the caller has confirmed their identity. Refuses `factor.otherWay` for a way that they cannot
 * use, and what each way refuses.
 */
export async function prove(
  context: FactorContext,
  caller: Caller,
  { password, ...given }: z.output<typeof calls.prove.input>,
  origin: Origin,
): Promise<{ provedUntil: string }> {
  const { platform, codes } = context;
  const { db, clock, transact } = platform;
  const { userId, sessionId } = caller;
  const ways = await waysOf(db, await personOf(db, userId));
  let use: (tx: Db, person: UserRow) => Promise<void>;
  let isSecondFactor = false;
  if (ways.includes('password')) {
    if (password === '') throw otherWay();
    if (!(await confirmsPassword(platform, userId, password))) throw passwordWrong();
    use = async () => {};
  } else if (ways.includes('email')) {
    const codeId = await codes.check(userId, 'prove', given.code, origin);
    use = async (tx) => {
      if (!(await codes.take(tx, codeId))) throw codeExpired();
    };
  } else {
    ({ use } = await checkFactor(context, 'prove', userId, given));
    isSecondFactor = true;
  }
  const now = clock.now();
  await transact(async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    await use(tx, person);
    await noteProof(tx, { sessionId, isSecondFactor }, now);
  });
  return { provedUntil: later(now, proofLifeMs).toISOString() };
}

/**
 * For a call that takes the password itself: false if it is wrong. A person without a password, or with a
 * second factor, must also have confirmed their identity. Refuses `session.stepUp`.
 */
export async function confirmsIdentity(
  platform: Platform,
  caller: Caller,
  password: string,
): Promise<boolean> {
  const { db, proofs } = platform;
  const person = await personOf(db, caller.userId);
  const ways = await waysOf(db, person);
  if (person.passwordHash !== '' && !(await confirmsPassword(platform, person.id, password))) return false;
  if (!ways.includes('password')) await proofs.requireRecent(caller);
  return true;
}

const passwordWrong = () => refuseField('access.passwordWrong', 'password', 'That password isn’t right.');
const otherWay = () => new Refusal('factor.otherWay', 'Please confirm it another way.', { code: 409 });
