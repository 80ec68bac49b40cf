import type { z } from 'zod';
import type * as calls from '#contract/access/second-factor.ts';
import type { ProofWay } from '#contract/access/second-factor.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Origin } from '../../../platform/http/cookies.ts';
import { noSession, refuseField, Refusal } from '../../../platform/refusal.ts';
import { proofLifeMs } from '../../../platform/security/proofs.ts';
import { confirmsPassword } from '../change-password.ts';
import { codeExpired, limitCodes, makeCode, checkCode } from '../codes.ts';
import { resendAfterSeconds } from '../rules/code.ts';
import { proofCodeEmail } from '../rules/emails.ts';
import { noteProof } from '../sign-ins/store.ts';
import { findUserById, holdUser, type UserRow, takeCode } from '../store.ts';
import { passkeyHost, signingOptions } from './ceremonies.ts';
import { checkFactor } from './check-factor.ts';
import * as store from './store.ts';
import { factorWays } from './view.ts';

/**
 * The ways in which a person can confirm their identity: with their second factor, or else their password, or
 * else a code by email.
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
  app: App,
  { userId }: Caller,
): Promise<OutputOf<typeof calls.proveOptions>> {
  const ways = await waysOf(app.db, await personOf(app.db, userId));
  if (!ways.includes('passkey') || passkeyHost(app.env) === null) return { ways, ceremony: null };
  const { passkeys } = await store.factorsOf(app.db, userId);
  return { ways, ceremony: await signingOptions(app, 'prove', userId, passkeys) };
}

/** Emails a code to a person who has no other way. Refuses `factor.otherWay`. */
export async function sendProofCode(
  app: App,
  { userId }: Caller,
  origin: Origin,
): Promise<{ resendAfterSeconds: number }> {
  const person = await personOf(app.db, userId);
  if (!(await waysOf(app.db, person)).includes('email')) throw otherWay();
  await limitCodes(app, userId, 'prove', origin);
  await app.transact('send proof code', async (tx) => {
    const code = await makeCode(app, tx, userId, 'prove');
    await app.outbox.post(tx, { to: person.email, ...proofCodeEmail(person.language, code) });
  });
  return { resendAfterSeconds };
}

/**
 * Records that the caller has confirmed their identity. Refuses `factor.otherWay` for a way that they cannot
 * use, and what each way refuses.
 */
export async function prove(
  app: App,
  caller: Caller,
  { password, ...given }: z.output<typeof calls.prove.input>,
  origin: Origin,
): Promise<{ provedUntil: string }> {
  const { db, clock, transact } = app;
  const { userId, sessionId } = caller;
  const ways = await waysOf(db, await personOf(db, userId));
  let use: (tx: Db, person: UserRow) => Promise<void>;
  let isSecondFactor = false;
  if (ways.includes('password')) {
    if (password === '') throw otherWay();
    if (!(await confirmsPassword(app, userId, password))) throw passwordWrong();
    use = async () => {};
  } else if (ways.includes('email')) {
    const codeId = await checkCode(app, { to: userId, purpose: 'prove', code: given.code }, origin);
    use = async (tx) => {
      if (!(await takeCode(tx, codeId))) throw codeExpired();
    };
  } else {
    ({ use } = await checkFactor(app, 'prove', userId, given));
    isSecondFactor = true;
  }
  const now = clock.now();
  await transact('prove second factor', async (tx) => {
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
export async function confirmsIdentity(app: App, caller: Caller, password: string): Promise<boolean> {
  const { db, proofs } = app;
  const person = await personOf(db, caller.userId);
  const ways = await waysOf(db, person);
  if (person.passwordHash !== '' && !(await confirmsPassword(app, person.id, password))) return false;
  if (!ways.includes('password')) await proofs.requireRecent(caller);
  return true;
}

const passwordWrong = () => refuseField('access.passwordWrong', 'password', 'That password isn’t right.');
const otherWay = () => new Refusal('factor.otherWay', 'Please confirm it another way.', { code: 409 });
