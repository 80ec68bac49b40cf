import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DecryptionError, seal, unseal } from './sealed.ts';

const secret = 'correct horse battery staple';
/** In chunks that do not align with the pieces. */
const chunks = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 50_001) }, (_, at) =>
      bytes.subarray(at * 50_001, (at + 1) * 50_001),
    ),
  );
const sealed = (bytes: Buffer) => buffer(chunks(bytes).pipe(seal(secret)));
/** An error of `from` becomes an error of the result. */
const unsealed = (bytes: Buffer, by = secret) =>
  new Promise<Buffer>((resolve, reject) => {
    const opened = chunks(bytes).pipe(unseal(by));
    opened.once('error', reject);
    buffer(opened).then(resolve, reject);
  });

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 400_000])(
  '%i bytes come back as they were',
  async (size) => {
    const bytes = randomBytes(size);
    const closed = await sealed(bytes);
    expect(closed.includes(bytes.subarray(0, 64)) && size > 64).toBe(false);
    expect((await unsealed(closed)).equals(bytes)).toBe(true);
  },
);

test('a wrong key, a changed byte, a moved piece and a truncated end are detected', async () => {
  const closed = await sealed(randomBytes(200_000));
  await expect(unsealed(closed, 'another key')).rejects.toThrow(DecryptionError);
  const changed = Buffer.from(closed);
  changed[150_000]! ^= 1;
  await expect(unsealed(changed)).rejects.toThrow(DecryptionError);
  const head = 39;
  const piece = 65_536 + 16;
  const moved = Buffer.concat([
    closed.subarray(0, head),
    closed.subarray(head + piece, head + 2 * piece),
    closed.subarray(head, head + piece),
    closed.subarray(head + 2 * piece),
  ]);
  await expect(unsealed(moved)).rejects.toThrow(DecryptionError);
  // At the end of a piece, where a truncation is hardest to detect.
  for (const end of [0, 10, head, head + piece, head + 2 * piece, closed.length - 1])
    await expect(unsealed(closed.subarray(0, end))).rejects.toThrow(DecryptionError);
  await expect(unsealed(randomBytes(1000))).rejects.toThrow(DecryptionError);
});
