import { expect, test } from 'vitest';
import { decodedBytes, mayBeDecoded, type Header } from './decoded-size.ts';

const jpeg = { format: 'jpeg', channels: 3, depth: 'uchar', chromaSubsampling: '4:2:0' };
const png = { format: 'png', channels: 4, depth: 'uchar' };
const webp = { format: 'webp', channels: 3, depth: 'uchar' };
const square = { width: 8000, height: 8000 };
const inPasses = { isProgressive: true };

test.each<[string, Header, boolean]>([
  ['a JPEG of 64 million pixels', { ...jpeg, ...square }, true],
  ['one row more', { ...jpeg, width: 8000, height: 8001 }, false],
  ['the longest row', { ...jpeg, width: 20_000, height: 3200 }, true],
  ['one pixel longer', { ...jpeg, width: 20_001, height: 1 }, false],
  ['the tallest column', { ...jpeg, width: 3200, height: 20_000 }, true],
  ['one pixel taller', { ...jpeg, width: 1, height: 20_001 }, false],
  ['a JPEG in passes', { ...jpeg, ...square, ...inPasses }, true],
  [
    'a JPEG in passes with all its colors',
    { ...jpeg, ...square, ...inPasses, chromaSubsampling: '4:4:4' },
    false,
  ],
  [
    'the same of a telephone',
    { ...jpeg, width: 6000, height: 6000, ...inPasses, chromaSubsampling: '4:4:4' },
    true,
  ],
  [
    'a JPEG in passes for a press',
    { ...jpeg, ...square, ...inPasses, channels: 4, chromaSubsampling: '4:4:4:4' },
    false,
  ],
  ['a PNG by rows', { ...png, ...square, depth: 'ushort' }, true],
  ['an interlaced PNG', { ...png, ...square, ...inPasses }, false],
  ['a smaller one', { ...png, width: 7000, height: 7000, ...inPasses }, true],
  [
    'an interlaced PNG of 16 bits',
    { ...png, width: 6000, height: 6000, ...inPasses, depth: 'ushort' },
    false,
  ],
  ['a WebP', { ...webp, ...square }, false],
  ['a smaller WebP', { ...webp, width: 7000, height: 7000 }, true],
  ['an animated WebP', { ...webp, width: 7000, height: 7000, pages: 2 }, false],
  ['a HEIC photo in parts', { format: 'tiled heif', channels: 3, ...square }, true],
  ['one row more of it', { format: 'tiled heif', channels: 3, width: 8000, height: 8001 }, false],
  ['a HEIC photo in one part', { format: 'heif', channels: 3, width: 4032, height: 3024 }, true],
  ['a larger one in one part', { format: 'heif', channels: 3, width: 8064, height: 6048 }, false],
])('%s may be decoded: %s', (_, header, expected) => {
  expect(mayBeDecoded(header)).toBe(expected);
});

test('what is not known of a header counts as the most that it can be', () => {
  const known = decodedBytes({ ...png, width: 5000, height: 5000, ...inPasses, depth: 'ushort' });
  expect(decodedBytes({ format: 'png', width: 5000, height: 5000, ...inPasses })).toBe(known);
});
