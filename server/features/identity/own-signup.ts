import type { Origin } from '../../platform/http/origin.ts';
import { hashSecret } from '../../platform/security/session.ts';
import type { SignupRow } from './store.ts';

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

export const keepSignupSecret = ({ cookies }: Origin, secret: string): void =>
  cookies.keep(signupCookie, secret);

export const forgetSignupSecret = ({ cookies }: Origin): void => cookies.forget(signupCookie);
