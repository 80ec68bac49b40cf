import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { forgetTries } from '../../platform/http/tries.ts';
import { noSession, refuseField } from '../../platform/refusal.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { tryLimits, refuseCommonPassword } from './policy.ts';
import { passwordChangedEmail } from './rules/emails.ts';
import { endTickets } from './second-factor/store.ts';
import { endOtherSessions } from './sessions.ts';
import * as store from './store.ts';

const triesOf = (userId: string): string => `confirm:${userId}`;

/**
 * Sets a new password after checking the old one, ends every other session and sends the person an email.
 * Counts as a sign-in try. Refuses `access.passwordWrong`, `access.passwordNone`, `access.passwordCommon`,
 * `access.passwordBreached`.
 */
export async function changePassword(
  app: App,
  caller: Caller,
  { oldPassword, password }: z.output<typeof access.changePassword.input>,
): Promise<{ ended: number }> {
  const { db, transact, tries, outbox } = app;
  const { userId } = caller;
  await tries.count(triesOf(userId), tryLimits.loginPerAccountAndAddress);
  const person = await store.findUserById(db, userId);
  if (person === null) throw noSession();
  if (person.passwordHash === '') throw passwordNone();
  if (!(await isPassword(person.passwordHash, oldPassword))) throw oldPasswordWrong();
  await checkNewPassword(app.identity.breached, password, person.email);
  const passwordHash = await hashPassword(password);
  return transact('change password', async (tx, afterCommit) => {
    const held = await store.holdUser(tx, userId);
    // Another call changed the password while this one checked the old one.
    if (held?.passwordHash !== person.passwordHash) throw oldPasswordWrong();
    await store.updateUser(tx, userId, { passwordHash });
    const ended = await endOtherSessions(app, tx, caller, afterCommit);
    await endTickets(tx, userId);
    await forgetTries(tx, triesOf(userId));
    const keys = await app.ports.identity.keysLeft(tx, userId);
    await outbox.post(tx, { to: held.email, ...passwordChangedEmail(held.language, 'others', keys) });
    return { ended };
  });
}

/** Whether the password is right. Counts as a sign-in attempt, so that it cannot be guessed here. */
export async function confirmsPassword(
  { db, tries }: App,
  userId: string,
  password: string,
): Promise<boolean> {
  await tries.count(triesOf(userId), tryLimits.loginPerAccountAndAddress);
  const person = await store.findUserById(db, userId);
  if (person === null) throw noSession();
  return person.passwordHash !== '' && isPassword(person.passwordHash, password);
}

const oldPasswordWrong = () =>
  refuseField('access.passwordWrong', 'oldPassword', 'That password isn’t right.');
const passwordNone = () =>
  refuseField(
    'access.passwordNone',
    'oldPassword',
    'You don’t have a password yet. Set one with “Forgot your password?” on the sign-in page.',
  );

/**
 * Sets the password of the account with an email and ends its sessions, which began with the former one. Call
 * before the server listens: open pages are not notified.
 */
export async function replacePassword(
  { transact, clock }: App,
  email: string,
  passwordHash: string,
): Promise<void> {
  await transact('replace password', async (tx) => {
    const userId = await store.replacePassword(tx, email, passwordHash);
    if (userId !== null) await store.endSessions(tx, { userId }, clock.now());
  });
}

/**
 * Checks a password that a person is about to set; existing ones are never checked. Refuses
 * `access.passwordCommon` and `access.passwordBreached`.
 */
export async function checkNewPassword(
  breached: BreachedPasswords,
  password: string,
  email: string,
): Promise<void> {
  refuseCommonPassword(password, email);
  if (await breached.isBreached(password))
    throw refuseField(
      'access.passwordBreached',
      'password',
      'This password has appeared in a data breach. Please choose another.',
    );
}
