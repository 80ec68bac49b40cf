import type { z } from 'zod';
import type { login, SessionUser } from '#contract/access/endpoints.ts';
import type * as access from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { forgetTries } from '../../platform/http/tries.ts';
import { Refusal, refuseField } from '../../platform/refusal.ts';
import { ownSignup } from './sign-up.ts';
import { isPassword } from './password-hash.ts';
import { tryLimits } from './policy.ts';
import { parsePhone } from './rules/phone.ts';
import { enter, entered } from './second-factor/second-step.ts';
import { hashAddress } from './sessions.ts';
import * as store from './store.ts';
import type { AccountName } from './store.ts';

/**
 * Signs in with email or phone. Refuses `access.nameMissing`, `access.wrong`, `access.notVerified` (right
 * password, email not yet verified), and `access.secondStep` where the person has a second factor.
 */
export async function signIn(
  app: App,
  input: z.output<typeof login.input>,
  origin: Origin,
): Promise<SessionUser> {
  const { db, transact, tries } = app;
  const name = accountName(input);
  const typed = input.email || parsePhone(input.phone)?.phone || input.phone;
  const here = `login:${typed}:${origin.address}`;
  await tries.count(here, tryLimits.loginPerAccountAndAddress);
  const person = name === null ? null : await store.findUser(db, name);
  // Guesses from elsewhere must not lock the person out at an address they have signed in from before.
  const isKnownHere =
    person !== null && (await store.knowsAddress(db, person.id, await hashAddress(db, origin.address)));
  if (!isKnownHere) await tries.count(`login:${typed}`, tryLimits.loginPerAccount);
  const signups = person === null && input.email !== '' ? await store.signupsOf(db, input.email) : [];
  const waiting = ownSignup(signups, origin) ?? signups[0];
  const passwordHash = person?.passwordHash || waiting?.passwordHash || (await app.identity.decoyHash);
  if (!(await isPassword(passwordHash, input.password))) throw wrongPassword();
  if (person === null) throw notVerified();
  const entry = await transact('sign in', async (tx) => {
    const held = await store.holdUser(tx, person.id);
    // Another call reset the password while this one checked it.
    if (held?.passwordHash !== passwordHash) throw wrongPassword();
    await forgetTries(tx, here);
    return enter(app, tx, held, origin);
  });
  return entered(entry);
}

const wrongPassword = () => new Refusal('access.wrong', 'Your email, phone number or password isn’t right.');
const notVerified = () =>
  new Refusal('access.notVerified', 'Please verify your email with the code we sent you.');

/**
 * The email or phone by which to look up an account.
 * @throws Refusal `access.nameMissing`; null when the phone number is invalid.
 */
function accountName({ email, phone }: { email: string; phone: string }): AccountName | null {
  if (email !== '') return { email };
  if (phone === '')
    throw refuseField('access.nameMissing', 'email', 'Please enter your email or phone number.');
  const number = parsePhone(phone);
  return number === null ? null : { phone: number.phone };
}

/**
 * The recipient of a reset code: the email as typed, or the number in E.164.
 * @throws Refusal `access.nameMissing`
 */
export function codeRecipient({ email, phone }: { email: string; phone: string }): string {
  const name = accountName({ email, phone });
  if (name === null) return phone;
  return 'email' in name ? name.email : name.phone;
}

/**
 * Whether an account has this email or phone, if its owner lets others find it by that: otherwise the answer
 * is that of no account. Refuses `access.nameMissing`.
 */
export async function checkAccount(
  { db }: App,
  input: z.output<typeof access.checkAccount.input>,
): Promise<{ exists: boolean }> {
  const name = accountName(input);
  const person = name === null ? null : await store.findUser(db, name);
  if (name === null || person === null) return { exists: false };
  return { exists: 'email' in name ? person.foundByEmail : person.foundByPhone };
}
