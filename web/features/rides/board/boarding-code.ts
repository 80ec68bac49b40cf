import type { OutputOf } from '#contract/define.ts';
import { boardingCodePrefix, type boardingKey } from '#contract/trips/endpoints.ts';

const idBytes = 16;
const endBytes = 4;
const signatureBytes = 64;

/** What a scanned text is: a code of one booking that is good now, one that has ended, or none of ours. */
export type ReadCode =
  | { kind: 'good' | 'ended'; bookingId: string }
  /** The signature could not be checked here: the server will. */
  | { kind: 'unchecked'; bookingId: string }
  | { kind: 'foreign' };

/** The public keys with which codes are checked. */
export type BoardingKeys = OutputOf<typeof boardingKey>;

/** Checks a scanned boarding code with the keys that were handed over; needs no connection. */
export async function readBoardingCode(
  text: string,
  keys: BoardingKeys | undefined,
  nowMs: number,
): Promise<ReadCode> {
  const bytes = text.startsWith(boardingCodePrefix) ? bytesOf(text.slice(boardingCodePrefix.length)) : null;
  if (bytes === null || bytes.length !== idBytes + endBytes + signatureBytes) return { kind: 'foreign' };
  const body = bytes.slice(0, idBytes + endBytes);
  const signature = bytes.slice(idBytes + endBytes);
  const bookingId = idOf(body.slice(0, idBytes));
  const endsAtMs = new DataView(body.buffer).getUint32(idBytes) * 1000;
  // Pages that came over plain http have no cryptography.
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (keys === undefined || subtle === undefined) return { kind: 'unchecked', bookingId };
  const isBy = async ({ x, y }: { x: string; y: string }): Promise<boolean> => {
    const jwk = { kty: 'EC', crv: 'P-256', x, y };
    const imported = await subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ]);
    return subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, imported, signature, body);
  };
  const isOurs = (await Promise.all([keys, ...keys.others].map(isBy))).includes(true);
  if (!isOurs) return { kind: 'foreign' };
  return { kind: endsAtMs > nowMs ? 'good' : 'ended', bookingId };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
  } catch {
    return null;
  }
}

function idOf(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
