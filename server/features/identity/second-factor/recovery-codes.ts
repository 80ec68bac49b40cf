import { recoveryCodeCount } from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { noSession, notFound } from '../../../platform/refusal.ts';
import { recoveryRenewedEmail } from '../rules/emails.ts';
import { holdUser } from '../store.ts';
import { hashRecoveryCode } from './check-factor.ts';
import { newRecoveryCode } from './rules/recovery-code.ts';
import * as store from './store.ts';

/** Makes new recovery codes in the caller's transaction; the old ones stop working. */
export async function makeRecoveryCodes(tx: Db, userId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(userId, code));
  await store.replaceRecoveryCodes(tx, userId, hashes, at);
  return codes;
}

/** Recovery codes for a person with their first second factor; none if the person already has codes. */
export async function firstRecoveryCodes(tx: Db, userId: string, at: Date): Promise<string[]> {
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
