import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { factorEmail, type FactorChange } from '../rules/emails.ts';
import { noteProof } from '../sign-ins/store.ts';
import type { UserRow } from '../store.ts';
import { forgetWrongCodes } from './check-factor.ts';
import { firstRecoveryCodes } from './recovery-codes.ts';
import * as store from './store.ts';

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
