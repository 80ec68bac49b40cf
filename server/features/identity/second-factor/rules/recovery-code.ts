import { randomInt } from 'node:crypto';

/** Letters and digits that people do not confuse on paper. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 24;

/**
 * A recovery code: 118 bits in six groups, as in `k3vt-9xqa-m7hd-c2wr-fy8n-6jpb`. With that much randomness
 * it needs no slow hash.
 */
export function newRecoveryCode(): string {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  return code.replaceAll(/(.{4})(?!$)/g, '$1-');
}

/** A code in the form that is compared: in lower case, without separators. */
export const plainRecoveryCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '');
