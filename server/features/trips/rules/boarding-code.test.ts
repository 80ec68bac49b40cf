import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { boardingCodePrefix } from '#contract/trips/endpoints.ts';
import { readCode, unsignedCode } from './boarding-code.ts';

const id = randomUUID();
const endsAt = new Date('2026-11-24T17:00:00Z');
const written = Buffer.concat([unsignedCode(id, endsAt), Buffer.alloc(64, 7)]).toString('base64url');

test('a code carries its booking and its end', () => {
  const read = readCode(`${boardingCodePrefix}${written}`)!;
  expect(read).toMatchObject({ bookingId: id, endsAt });
  expect(read.signature).toEqual(Buffer.alloc(64, 7));
});

test.each(['', 'https://example.com', boardingCodePrefix, written, `${boardingCodePrefix}${written}AA`])(
  'no code: %s',
  (text) => {
    expect(readCode(text)).toBeNull();
  },
);
