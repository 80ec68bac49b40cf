import { refuseField } from '../../platform/refusal.ts';

/** How often a thing may be tried: `most` times within the window. */
export interface Allowance {
  most: number;
  windowSeconds: number;
}

const quarterHour = 900;
const hour = 3600;

/**
 * Wide enough for a household or a school behind one address, too narrow to guess codes, passwords or accounts.
 * What counts for an account whoever tries (`…PerAccount`) is never asked of an address the account is known from.
 */
export const allowances = {
  checkPerAddress: { most: 10, windowSeconds: quarterHour },
  signupPerAddress: { most: 60, windowSeconds: hour },
  codesPerAccountAndAddress: { most: 10, windowSeconds: hour },
  codesPerAccount: { most: 40, windowSeconds: hour },
  codesPerAddress: { most: 100, windowSeconds: hour },
  triesPerAddress: { most: 200, windowSeconds: hour },
  loginPerAccountAndAddress: { most: 10, windowSeconds: quarterHour },
  loginPerAccount: { most: 100, windowSeconds: hour },
  loginPerAddress: { most: 120, windowSeconds: quarterHour },
  outsidePerAddress: { most: 120, windowSeconds: quarterHour },
} satisfies Record<string, Allowance>;

/** Whether an e-mail address may sign up; an empty list lets every domain in. */
export const maySignUp = (email: string, allowedDomains: readonly string[]): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));

export const domainNotAllowed = (domains: readonly string[]) =>
  refuseField(
    'access.domainNotAllowed',
    'email',
    `Only emails from allowed domains (${domains.join(', ')}) are supported.`,
    { domains: [...domains] },
  );
