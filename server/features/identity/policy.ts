import type { TryLimit } from '../../platform/http/tries.ts';
import { refuseField } from '../../platform/refusal.ts';
import { isCommonPassword } from './rules/password.ts';

const quarterHour = 900;
const hour = 3600;

/**
 * What is tried against an account, with a code or a password: too few to guess it, and counted in the
 * command, because only it knows the account and which try was right (`forgetTries`). Wide enough for a
 * household or a school behind one address. What counts for an account from all networks together
 * (`…PerAccount`) is never asked of an address the account is known from.
 */
export const tryLimits = {
  codesPerAccountAndAddress: { most: 10, withinSeconds: hour },
  codesPerAccount: { most: 40, withinSeconds: hour },
  codesPerAddress: { most: 100, withinSeconds: hour },
  codeTriesPerAddress: { most: 200, withinSeconds: hour },
  loginPerAccountAndAddress: { most: 10, withinSeconds: quarterHour },
  loginPerAccount: { most: 100, withinSeconds: hour },
} satisfies Record<string, TryLimit>;

/** Whether an email address may sign up; an empty list lets every domain in. */
export const maySignUp = (email: string, allowedDomains: readonly string[]): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));

export const domainNotAllowed = (domains: readonly string[]) =>
  refuseField(
    'access.domainNotAllowed',
    'email',
    `Only emails from allowed domains (${domains.join(', ')}) are supported.`,
    { domains: [...domains] },
  );

/** Refuses `access.passwordCommon`. */
export function refuseCommonPassword(password: string, email: string): void {
  if (isCommonPassword(password, email))
    throw refuseField(
      'access.passwordCommon',
      'password',
      'This password is easy to guess. Please choose another.',
    );
}

export const emailTaken = () =>
  refuseField('access.emailTaken', 'email', 'There is already an account with this email. Please sign in.');

/**
 * Of the signed token that an invitation link carries: a person who signs up with it names its maker as their
 * inviter.
 */
export const invitationPurpose = 'invitation';
