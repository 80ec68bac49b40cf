import { randomBytes } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562, 5.7): it begins with its instant. Ids of one moment lie side by side in an
 * index, so that many rows that are written at once touch few of its pages. A person who reads such an id
 * learns when it was made.
 */
export function timeOrderedId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
