import { randomInt } from 'node:crypto';

// Crockford's base 32: no I, L, O, U, so that a number read aloud is not misread.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A random order number such as `SW-7KQ2M9`: one of 32⁶, about a billion. */
export const drawOrderNumber = (): string =>
  `SW-${Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

/** An order number as a person typed it, in its one spelling; null where it is none. */
export function readOrderNumber(typed: string): string | null {
  const number = typed.toUpperCase();
  return new RegExp(`^SW-[${alphabet}]{6}$`).test(number) ? number : null;
}
