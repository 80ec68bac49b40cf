import { randomInt } from 'node:crypto';

/** Letters and digits that are not mistaken for each other on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 24;

/**
 * A code to write down: 118 bits in six groups, as in `k3vt-9xqa-m7hd-c2wr-fy8n-6jpb`. So much chance needs
 * no slow hash. Codes of the release before have three groups, and go on opening.
 */
export function newRecoveryCode(): string {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  return code.replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** A code as it is compared: without the marks between its groups, however it was typed. */
export const plainRecoveryCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '');
