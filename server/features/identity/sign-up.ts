import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { signup } from '#contract/access/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import { checkNewPassword } from './change-password.ts';
import { limitCodes, makeCode } from './codes.ts';
import { hashPassword } from './password-hash.ts';
import { phoneOf, phoneTaken } from './phones.ts';
import { domainNotAllowed, emailTaken, maySignUp } from './policy.ts';
import { resendAfterSeconds } from './rules/code.ts';
import { signupEmail } from './rules/emails.ts';
import * as store from './store.ts';
import type { SignupRow } from './store.ts';

/** Most pending sign-ups of one address. */
const mostSignups = 5;

/**
 * Stores a sign-up and sends its code; the latest sign-up of an address counts. Refuses
 * `access.domainNotAllowed`, `access.emailTaken`, `access.passwordCommon`, `access.passwordBreached`,
 * `access.phoneInvalid`, `user.phoneTaken`, and a second one within a minute.
 */
export async function signUp(
  app: App,
  input: z.output<typeof signup.input>,
  origin: Origin,
): Promise<{ resendAfterSeconds: number }> {
  const { env, clock, db, transact, outbox } = app;
  const { email, password, language } = input;
  if (!maySignUp(email, env.ALLOWED_EMAIL_DOMAINS)) throw domainNotAllowed(env.ALLOWED_EMAIL_DOMAINS);
  const { phone } = phoneOf(input.phone);
  if (password !== '') await checkNewPassword(app.identity.breached, password, email);
  if ((await store.findUser(db, { email })) !== null) throw emailTaken();
  if (phone !== '' && (await store.findUser(db, { phone })) !== null) throw phoneTaken();
  await limitCodes(app, email, 'signup', origin);
  const passwordHash = password === '' ? '' : await hashPassword(password);
  await transact('sign up', async (tx) => {
    const secret = newSecret();
    const createdAt = clock.now();
    const own = { id: randomUUID(), secretHash: hashSecret(secret) };
    await store.keepSignup(tx, { ...own, email, phone, passwordHash, language, createdAt }, mostSignups);
    const code = await makeCode(app, tx, codeOfSignup({ ...own, email }), 'signup');
    await outbox.post(tx, { to: email, ...signupEmail(language, code) });
    keepSignupSecret(origin, secret);
  });
  return { resendAfterSeconds };
}

/**
 * Sends a new code to a pending sign-up, and answers the same where none is pending. Refuses a second one
 * within a minute.
 */
export async function resendSignupCode(
  app: App,
  email: string,
  origin: Origin,
): Promise<{ resendAfterSeconds: number }> {
  const { transact, outbox } = app;
  await limitCodes(app, email, 'signup', origin);
  await transact('resend signup code', async (tx) => {
    const [latest, ...others] = await store.signupsOf(tx, email);
    if (latest === undefined) return;
    const waiting = ownSignup([latest, ...others], origin) ?? latest;
    const code = await makeCode(app, tx, codeOfSignup(waiting), 'signup');
    await outbox.post(tx, { to: email, ...signupEmail(waiting.language, code) });
  });
  return { resendAfterSeconds };
}

/** Identifies the browser that signed up. */
const signupCookie = 'sameway-signup';

/** The recipient key of a sign-up's code: it fits no other sign-up, not even of the same address. */
export const codeOfSignup = ({ email, id }: Pick<SignupRow, 'email' | 'id'>): string => `${email}:${id}`;

/** The one of these sign-ups that this browser made. */
export function ownSignup(signups: readonly SignupRow[], origin: Origin): SignupRow | null {
  const secret = origin.cookies.read(signupCookie);
  const hash = secret === '' ? '' : hashSecret(secret);
  return signups.find(({ secretHash }) => secretHash !== '' && secretHash === hash) ?? null;
}

const keepSignupSecret = ({ cookies }: Origin, secret: string): void => cookies.keep(signupCookie, secret);

export const forgetSignupSecret = ({ cookies }: Origin): void => cookies.forget(signupCookie);
