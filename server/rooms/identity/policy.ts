/** How often a thing may be tried: `most` times within the window. */
export interface Allowance {
  most: number;
  windowSeconds: number;
}

const quarterHour = 900;
const hour = 3600;

/** Wide enough for a household or a school behind one address, too narrow to guess codes, passwords or accounts. */
export const allowances = {
  checkPerAddress: { most: 120, windowSeconds: quarterHour },
  signupPerAddress: { most: 60, windowSeconds: hour },
  codesPerAccount: { most: 10, windowSeconds: hour },
  codesPerAddress: { most: 100, windowSeconds: hour },
  triesPerAddress: { most: 200, windowSeconds: hour },
  loginPerAccountAndAddress: { most: 10, windowSeconds: quarterHour },
  loginPerAccount: { most: 100, windowSeconds: hour },
  loginPerAddress: { most: 120, windowSeconds: quarterHour },
} satisfies Record<string, Allowance>;

/** Whether an e-mail address may sign up; an empty list lets every domain in. */
export const maySignUp = (email: string, allowedDomains: readonly string[]): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
