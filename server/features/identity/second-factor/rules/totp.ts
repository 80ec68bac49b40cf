import { createHmac, randomBytes } from 'node:crypto';

/**
 * Codes of RFC 6238: HMAC-SHA-1, six digits, a new one each half minute, as every authenticator app has them.
 */
const stepSeconds = 30;
const digits = 6;
/** So many half minutes may the clocks of a phone and of this server lie apart. */
const window = 1;
const secretBytes = 20;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret. */
export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/** Bytes in base32 (RFC 4648) without padding: what people type into an app. */
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

/** What a QR code holds for an app. */
export function totpUri(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** The half minute that an instant lies in. */
export const totpStepAt = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds);

/** The code of a half minute. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 15) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The half minute that a code is of: this one, or one beside it, that is later than the last code used. Null
 * for a wrong code, and for one that was used.
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
