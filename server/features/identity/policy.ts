import type { TryLimit } from '../../platform/http/tries.ts';
import { refuseField } from '../../platform/refusal.ts';
import { isCommonPassword } from './rules/password.ts';

const quarterHour = 900;
const hour = 3600;

/**
 * Limits on tries of a code or a password of an account: too few to guess it. Counted in the command, because
 * only it knows the account and which try was right (`forgetTries`). Wide enough for a household or a school
 * behind one address. The limits on all networks together (`…PerAccount`) do not apply to an address that the
 * account has signed in from.
 */
export const tryLimits = {
  codesPerAccountAndAddress: { most: 10, withinSeconds: hour },
  codesPerAccount: { most: 40, withinSeconds: hour },
  codesPerAddress: { most: 100, withinSeconds: hour },
  codeTriesPerAddress: { most: 200, withinSeconds: hour },
  loginPerAccountAndAddress: { most: 10, withinSeconds: quarterHour },
  loginPerAccount: { most: 100, withinSeconds: hour },
  /**
   * For codes of an authenticator app and recovery codes: three codes are valid at a time, so ten guesses
   * succeed once in 33,000.
   */
  factorPerAccount: { most: 10, withinSeconds: quarterHour },
  /** The email about wrong codes of an authenticator app. */
  wrongCodesEmail: { most: 1, withinSeconds: 24 * hour },
} satisfies Record<string, TryLimit>;

/**
 * Wrong codes of an authenticator app since the last right second factor. The window that limits tries alone
 * would let a person who knows the password guess for ever, 8 % a month. A person who types a code wrong a
 * few times gets no email.
 */
export const wrongCodes = { most: 50, toldFrom: 5, countedForSeconds: 365 * 24 * hour };

/** Whether an email address may sign up; an empty list allows every domain. */
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
      'That password is too easy to guess. Please choose another.',
    );
}

export const emailTaken = () =>
  refuseField('access.emailTaken', 'email', 'This email already has an account. Please sign in.');

/**
 * Purpose of the signed token in an invitation link: its maker becomes the inviter of a person who signs up
 * with it.
 */
export const invitationPurpose = 'invitation';
