import { totpCode, totpStepAt } from '../features/identity/second-factor/rules/totp.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a secret as people type it into an app. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll(/\s/g, ''), (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an authenticator app shows at an instant, or this many time steps later. */
export const codeShown = (secret: string, at: Date, later = 0): string =>
  totpCode(fromBase32(secret), totpStepAt(at) + later);
