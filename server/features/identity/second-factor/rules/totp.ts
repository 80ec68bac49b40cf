import { createHmac, randomBytes } from 'node:crypto';

/**
 * Codes of RFC 6238: HMAC-SHA-1, six digits, a new one every 30 seconds, as all authenticator apps support.
 */
const stepSeconds = 30;
const digits = 6;
/** By how many time steps the clocks of a phone and of this server may differ. */
const window = 1;
const secretBytes = 20;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/** Bytes in base32 (RFC 4648) without padding, which people can type into an app. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

/** The address that an app reads from the QR code. */
export function totpUri(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** The time step of an instant. */
export const totpStepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds);

/** The code of a time step. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 15) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The time step of a code: the current one or an adjacent one, but later than that of the last code used.
 * Null for a wrong or used code.
 */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number },
): number | null {
  const now = totpStepAt(at);
  for (let step = Math.max(now - window, lastStep + 1); step <= now + window; step++)
    if (totpCode(secret, step) === code) return step;
  return null;
}
