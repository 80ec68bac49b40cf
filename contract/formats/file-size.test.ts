import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [0, '1 kB'],
  [4_321, '4 kB'],
  [999_400, '999 kB'],
  [999_500, '1 MB'],
  [1_000_000, '1 MB'],
  [1_249_000, '1.2 MB'],
  [12_490_000, '12 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(fileSize(bytes, 'en')).toBe(text);
  expect(fileSize(bytes, 'zh').replace(' ', '')).toBe(text.replace(' ', ''));
});
