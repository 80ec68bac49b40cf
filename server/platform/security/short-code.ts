/** Crockford's base 32: no letter in it can be taken for a digit, and none makes words. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 60 bits: too many to guess where tries are counted, few enough to type from a poster. */
export const shortCodeLength = 12;

/** The short code that follows from a secret of base64url. */
export const shortCodeOf = (secret: string): string =>
  Array.from(
    Buffer.from(secret, 'base64url').subarray(0, shortCodeLength),
    (byte) => alphabet[byte % 32],
  ).join('');

/** A code as a person typed it, in its one spelling; null where it is none. */
export function readShortCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1').replaceAll('-', '');
  return new RegExp(`^[${alphabet}]{${shortCodeLength}}$`).test(code) ? code : null;
}
