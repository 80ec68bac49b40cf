import { type SecondFactor, recoveryCodeCount } from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { postEmail } from '../../../platform/events/outbox.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { movedOn, noSession, notFound } from '../../../platform/refusal.ts';
import { noteDeed } from '../../../platform/security/audit-log.ts';
import { tryLimits } from '../policy.ts';
import { factorEmail, type FactorChange, recoveryRenewedEmail } from '../rules/emails.ts';
import { noteProof } from '../sign-ins/store.ts';
import { findUserById, holdUser, type UserRow, findUser } from '../store.ts';
import { passkeyHost } from './ceremonies.ts';
import { stepOfCode, wrongCode, forgetWrongCodes, hashRecoveryCode } from './check-factor.ts';
import { newRecoveryCode } from './rules/recovery-code.ts';
import { base32, newTotpSecret, totpUri } from './rules/totp.ts';
import * as store from './store.ts';
import { viewFactors } from './view.ts';

/** A person's second factors, whether they must have one, and where passkeys work. */
export async function readSecondFactor(
  { db, env }: App,
  { userId, staffRole }: Caller,
): Promise<SecondFactor> {
  const isRequired = staffRole !== null && !env.DEMO;
  return viewFactors(await store.factorsOf(db, userId), { isRequired, passkeysFor: passkeyHost(env) });
}

/**
 * Creates the secret for an authenticator app; a code from the app must confirm it. Refuses `factor.totpOn`.
 */
export async function beginTotp(
  { db, clock, seal, env }: App,
  { userId }: Caller,
): Promise<{ secret: string; uri: string }> {
  const person = await findUserById(db, userId);
  if (person === null) throw noSession();
  const secret = newTotpSecret();
  if (!(await store.keepTotp(db, userId, await seal.seal(secret, userId), clock.now()))) throw totpOn();
  const issuer = `Sameway (${new URL(env.publicUrl).host})`;
  return { secret: base32(secret), uri: totpUri(secret, { issuer, account: person.email }) };
}

/**
 * Turns the app on with its first code. Refuses `factor.wrong`, `factor.totpOn`, and `factor.totpUnbegun` if
 * there is no secret.
 */
export async function confirmTotp(
  app: App,
  { userId, sessionId }: Caller,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const { db, clock, transact, tries } = app;
  await tries.count(`totp:${userId}`, tryLimits.factorPerAccount);
  const totp = await store.totpOf(db, userId);
  if (totp === null) throw movedOn('factor.totpUnbegun', 'Please start again.');
  if (totp.confirmedAt !== null) throw totpOn();
  const step = await stepOfCode(app, totp, code);
  return transact('confirm totp', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    if (!(await store.useTotpStep(tx, totp, step, clock.now()))) throw wrongCode();
    const change = { kind: 'totpAdded' } as const;
    return { recoveryCodes: await factorAdded(app, tx, { person, sessionId, change }) };
  });
}

/** Turns the app off. Refuses `factor.notFound`. */
export async function removeTotp(app: App, { userId }: Caller): Promise<void> {
  await app.transact('remove totp', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    if (!(await store.deleteTotp(tx, userId))) throw notFound('factor.notFound');
    await factorRemoved(app, tx, person, { kind: 'totpRemoved' });
  });
}

const totpOn = () => movedOn('factor.totpOn', 'Your authenticator app is already on.');

/**
 * The effects of a new second factor, in the transaction that saves it: the current session counts as
 * confirmed by it, unfinished sign-ins must start again, and the person gets recovery codes and an email.
 */
export async function factorAdded(
  { clock, outbox }: App,
  tx: Db,
  { person, sessionId, change }: { person: UserRow; sessionId: string; change: FactorChange },
): Promise<string[]> {
  const now = clock.now();
  await noteProof(tx, { sessionId, isSecondFactor: true }, now);
  await store.endTickets(tx, person.id);
  await forgetWrongCodes(tx, person.id);
  await outbox.post(tx, { to: person.email, ...factorEmail(person.language, change) });
  return firstRecoveryCodes(tx, person.id, now);
}

/**
 * The effects of removing a second factor: an email, and if it was the last one, the recovery codes are
 * deleted.
 */
export async function factorRemoved(
  { clock, outbox }: App,
  tx: Db,
  person: UserRow,
  change: FactorChange,
): Promise<void> {
  const { totpSince, passkeys } = await store.factorsOf(tx, person.id);
  if (totpSince === null && passkeys.length === 0)
    await store.replaceRecoveryCodes(tx, person.id, [], clock.now());
  await outbox.post(tx, { to: person.email, ...factorEmail(person.language, change) });
}

/** Makes new recovery codes in the caller's transaction; the old ones stop working. */
async function makeRecoveryCodes(tx: Db, userId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(userId, code));
  await store.replaceRecoveryCodes(tx, userId, hashes, at);
  return codes;
}

/** Recovery codes for a person with their first second factor; none if the person already has codes. */
async function firstRecoveryCodes(tx: Db, userId: string, at: Date): Promise<string[]> {
  const { recoveryCodesLeft } = await store.factorsOf(tx, userId);
  return recoveryCodesLeft > 0 ? [] : makeRecoveryCodes(tx, userId, at);
}

/**
 * Makes new recovery codes when the person asks for them, and emails the person. Refuses `factor.notFound`.
 */
export async function renewRecoveryCodes(
  { transact, clock, outbox }: App,
  { userId }: Caller,
): Promise<{ recoveryCodes: string[] }> {
  return transact('renew recovery codes', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null) throw noSession();
    const { totpSince, passkeys } = await store.factorsOf(tx, userId);
    if (totpSince === null && passkeys.length === 0) throw notFound('factor.notFound');
    const recoveryCodes = await makeRecoveryCodes(tx, userId, clock.now());
    await outbox.post(tx, { to: person.email, ...recoveryRenewedEmail(person.language) });
    return { recoveryCodes };
  });
}

/**
 * Removes all second factors of an account whose owner has lost them; only the command line calls it. It
 * writes to the audit log and emails the person. @returns how many there were; null if there is no such
 * account.
 */
export const resetFactors = (db: Db, email: string, at: Date): Promise<number | null> =>
  db.transaction(async (tx) => {
    const person = await findUser(tx, { email: email.trim().toLowerCase() });
    if (person === null) return null;
    const removed = await store.deleteFactors(tx, person.id);
    await store.endTickets(tx, person.id);
    await noteDeed(tx, { adminId: null, action: 'factors.reset', personId: person.id }, at);
    await postEmail(tx, { to: person.email, ...factorEmail(person.language, { kind: 'allRemoved' }) });
    return removed;
  });
