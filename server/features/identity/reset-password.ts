import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { forgetTries } from '../../platform/http/tries.ts';
import { codeRecipient } from './sign-in.ts';
import { checkNewPassword } from './change-password.ts';
import { codeExpired, limitCodes, makeCode, checkCode } from './codes.ts';
import { hashPassword } from './password-hash.ts';
import { resendAfterSeconds } from './rules/code.ts';
import { passwordChangedEmail, resetEmail, resetSms } from './rules/emails.ts';
import { forgetWrongCodes } from './second-factor/check-factor.ts';
import { endTickets } from './second-factor/store.ts';
import { endSessions } from './sessions.ts';
import * as store from './store.ts';
import { takeCode } from './store.ts';

/**
 * Sends a reset code where the account exists, by email or to its verified phone; answers the same, and
 * stores as much, where it does not.
 */
export async function sendResetCode(
  app: App,
  input: z.output<typeof access.retrievePassword.input>,
  origin: Origin,
): Promise<{ resendAfterSeconds: number }> {
  const { transact, outbox } = app;
  const to = codeRecipient(input);
  await limitCodes(app, to, 'reset', origin);
  await transact('send reset code', async (tx) => {
    const code = await makeCode(app, tx, to, 'reset');
    const person = await accountToReset(tx, input, to);
    if (person === null) return;
    if (input.email !== '') await outbox.post(tx, { to, ...resetEmail(person.language, code) });
    else await outbox.text(tx, { to, ...resetSms(person.language, code) });
  });
  return { resendAfterSeconds };
}

/**
 * Sets a new password and ends every session of the account.
 * Refuses `access.passwordCommon`, `access.passwordBreached`, `access.codeWrong`, `access.codeExpired`.
 */
export async function resetPassword(
  app: App,
  input: z.output<typeof access.retrievePasswordConfirm.input>,
  origin: Origin,
): Promise<void> {
  const { transact, outbox } = app;
  const { code, password } = input;
  const to = codeRecipient(input);
  // Checked first: a refused password must not use the code up.
  await checkNewPassword(app.identity.breached, password, input.email);
  const codeId = await checkCode(app, { to, purpose: 'reset', code }, origin);
  const passwordHash = await hashPassword(password);
  await transact('reset password', async (tx, afterCommit) => {
    const person = (await takeCode(tx, codeId)) ? await accountToReset(tx, input, to) : null;
    if (person === null) throw codeExpired();
    await store.holdUser(tx, person.id);
    await store.updateUser(tx, person.id, { passwordHash });
    await endSessions(app, tx, { userId: person.id }, afterCommit);
    await endTickets(tx, person.id);
    await forgetWrongCodes(tx, person.id);
    // A person who has just proved their identity can sign in, however many wrong tries there were.
    for (const name of [person.email, person.phone]) await forgetTries(tx, `login:${name}`);
    const keys = await app.ports.identity.keysLeft(tx, person.id);
    await outbox.post(tx, { to: person.email, ...passwordChangedEmail(person.language, 'all', keys) });
  });
}

/**
 * The account that a reset code to this recipient is for: a number must be verified, or a typing error would
 * give the account away.
 */
async function accountToReset(
  tx: Db,
  { email }: { email: string },
  to: string,
): Promise<store.UserRow | null> {
  const person = await store.findUser(tx, email === '' ? { phone: to } : { email: to });
  return email === '' && person?.phoneVerifiedAt === null ? null : person;
}
