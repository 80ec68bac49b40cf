import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findInSortedHashes } from './sorted-hashes.ts';

const hashOf = (word: string) => createHash('sha1').update(word).digest('hex').toUpperCase();
const words = Array.from({ length: 3000 }, (_, index) => `word ${index}`);

/** A file in memory that counts its reads. */
function fileOf(text: string) {
  const file = {
    reads: 0,
    size: text.length,
    readAt: async (at: number) => {
      file.reads += 1;
      return text.slice(at, at + 200);
    },
  };
  return file;
}

const lines = (digits: number, count: (index: number) => string, ending: string): string =>
  words
    .map(hashOf)
    .toSorted()
    .map((hash, index) => `${hash.slice(0, digits)}${count(index)}${ending}`)
    .join('');

test.each([
  ['with counts and Windows line ends', lines(40, (index) => `:${index ** 3}`, '\r\n')],
  ['of hashes alone', lines(40, () => '', '\n')],
  ['of first digits', lines(16, () => '', '\n')],
  ['without a line end at its end', lines(40, () => ':1', '\n').trimEnd()],
  ['in small letters', lines(40, () => ':7', '\n').toLowerCase()],
])('each hash of a file %s is found, and no other', async (_, text) => {
  for (const word of words.filter((_word, index) => index % 7 === 0)) {
    const file = fileOf(text);
    expect(await findInSortedHashes(hashOf(word), file.size, file.readAt), word).toBe(true);
    expect(file.reads).toBeLessThan(20);
    expect(await findInSortedHashes(hashOf(`no ${word}`), file.size, file.readAt)).toBe(false);
  }
  const sorted = words.map(hashOf).toSorted();
  for (const hash of [sorted[0]!, sorted.at(-1)!]) {
    const file = fileOf(text);
    expect(await findInSortedHashes(hash, file.size, file.readAt)).toBe(true);
  }
  for (const hash of ['0'.repeat(40), 'F'.repeat(40)]) {
    const file = fileOf(text);
    expect(await findInSortedHashes(hash, file.size, file.readAt)).toBe(false);
  }
});

test.each(['', '\n', 'no hashes here\n', 'zzz'])('a file of %j holds nothing', async (text) => {
  const file = fileOf(text);
  expect(await findInSortedHashes(hashOf('word 1'), file.size, file.readAt)).toBe(false);
});
