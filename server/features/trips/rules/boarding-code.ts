import { boardingCodePrefix } from '#contract/trips/endpoints.ts';

const idBytes = 16;
const endBytes = 4;
const signatureBytes = 64;

/** The signed bytes: the booking's id, then the second since 1970 at which the code ends. */
export function unsignedCode(bookingId: string, endsAt: Date): Buffer {
  const end = Buffer.alloc(endBytes);
  end.writeUInt32BE(Math.floor(endsAt.getTime() / 1000));
  return Buffer.concat([Buffer.from(bookingId.replaceAll('-', ''), 'hex'), end]);
}

/** Parses a scanned code; null where it is malformed. The signature is not checked here. */
export function readCode(
  text: string,
): { bookingId: string; endsAt: Date; body: Buffer; signature: Buffer } | null {
  if (!text.startsWith(boardingCodePrefix)) return null;
  const written = text.slice(boardingCodePrefix.length);
  const bytes = Buffer.from(written, 'base64url');
  const isWhole =
    bytes.length === idBytes + endBytes + signatureBytes && bytes.toString('base64url') === written;
  if (!isWhole) return null;
  const body = bytes.subarray(0, idBytes + endBytes);
  const hex = body.subarray(0, idBytes).toString('hex');
  return {
    bookingId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    endsAt: new Date(body.readUInt32BE(idBytes) * 1000),
    body,
    signature: bytes.subarray(idBytes + endBytes),
  };
}
