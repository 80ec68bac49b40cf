import type { App } from '../../../app-type.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { movedOn, noSession, notFound } from '../../../platform/refusal.ts';
import { tryLimits } from '../policy.ts';
import { findUserById, holdUser } from '../store.ts';
import { factorAdded, factorRemoved } from './change-factors.ts';
import { stepOfCode, wrongCode } from './check-factor.ts';
import { base32, newTotpSecret, totpUri } from './rules/totp.ts';
import * as store from './store.ts';

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
