import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import { legalVersion, type legalDocuments } from '#contract/privacy/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Origin } from '../../platform/http/cookies.ts';
import { Refusal } from '../../platform/refusal.ts';
import { codeExpired, checkCode } from './codes.ts';
import { noPhone } from './phones.ts';
import { emailTaken } from './policy.ts';
import { parsePhone } from './rules/phone.ts';
import { openSession } from './sessions.ts';
import { codeOfSignup, forgetSignupSecret, ownSignup } from './sign-up.ts';
import * as store from './store.ts';
import { takeCode } from './store.ts';

/**
 * Creates the account of a sign-up and signs the person in. Leaves out a phone that another account has by
 * now. In the browser that signed up only the code of its own sign-up counts. Elsewhere, if several people
 * signed up with one address, the code alone cannot prove who typed the password: such an account starts
 * without one, and the person sets one by email. Refuses `access.codeWrong`, `access.codeExpired`,
 * `access.emailTaken`.
 */
export async function verifyEmail(
  app: App,
  { email, code }: z.output<typeof access.verifyEmail.input>,
  origin: Origin,
): Promise<SessionUser> {
  const { clock, db, transact } = app;
  const waiting = await store.signupsOf(db, email);
  const own = ownSignup(waiting, origin);
  const { signup, codeId } = await codeAmong(app, own === null ? waiting : [own], code, origin);
  const isProved = own !== null || waiting.length === 1;
  return transact('verify email', async (tx) => {
    const taken = (await takeCode(tx, codeId)) ? await store.takeSignups(tx, email) : new Set();
    if (!taken.has(signup.id)) throw codeExpired();
    forgetSignupSecret(origin);
    const person = await insertAccount(tx, signup, isProved, clock.now());
    return openSession(app, tx, person, { origin });
  });
}

/** @param isProved whether the person who typed the code also typed the sign-up's password and phone. */
async function insertAccount(
  tx: Db,
  { email, passwordHash, language, phone }: store.SignupRow,
  isProved: boolean,
  now: Date,
): Promise<store.UserRow> {
  const fresh = {
    id: randomUUID(),
    email,
    emailVerifiedAt: now,
    passwordHash: isProved ? passwordHash : '',
    language,
    createdAt: now,
  };
  const number = (isProved ? parsePhone(phone) : null) ?? noPhone;
  const person =
    (await store.insertUser(tx, { ...fresh, ...number })) ??
    (await store.insertUser(tx, { ...fresh, ...noPhone }));
  if (person === null) throw emailTaken();
  await agreeToTerms(tx, person.id, now);
  return person;
}

/** The one of these sign-ups that the code belongs to. Refuses `access.codeWrong`, `access.codeExpired`. */
async function codeAmong(
  app: App,
  signups: readonly store.SignupRow[],
  code: string,
  origin: Origin,
): Promise<{ signup: store.SignupRow; codeId: string }> {
  let refusal: unknown = codeExpired();
  for (const signup of signups) {
    try {
      const asked = { to: codeOfSignup(signup), purpose: 'signup', code } as const;
      return { signup, codeId: await checkCode(app, asked, origin) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A wrong code takes precedence over an expired one.
      if (signup === signups[0] || error.reason === 'access.codeWrong') refusal = error;
    }
  }
  throw refusal;
}

type Document = (typeof legalDocuments)[number];

const row = (userId: string, document: Document, given: boolean, at: Date) => ({
  id: randomUUID(),
  userId,
  document,
  version: legalVersion,
  given,
  at,
});

/** Records that a person who has just created an account accepts the documents named at the button. */
export const agreeToTerms = (tx: Db, userId: string, at: Date): Promise<void> =>
  store.insertConsents(tx, [row(userId, 'terms', true, at), row(userId, 'privacy', true, at)]);

/** Records that a person agrees to messages outside the app, or withdraws that. */
export const sayOptIn = (tx: Db, userId: string, given: boolean, at: Date): Promise<void> =>
  store.insertConsents(tx, [row(userId, 'optin', given, at)]);
