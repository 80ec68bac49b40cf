import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { convertHeic } from './convert-heic.ts';

const sample = (name: string) => fs.readFileSync(path.join(import.meta.dirname, 'samples', `${name}.heic`));
const thread = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

test('a thread that does not come to an end is ended', async () => {
  const answer = await convertHeic(sample('ten'), thread('for (;;);'), 300);
  expect(answer).toEqual({ refused: 'tooManyPixels' });
});

test.each([
  ['throws', 'throw new WebAssembly.RuntimeError("unreachable")'],
  ['ends', 'process.exit(3)'],
  ['takes too much memory', 'const all = []; for (;;) all.push({ all: [...all] })'],
])('a thread that %s ends nothing else', async (_, code) => {
  expect(await convertHeic(sample('ten'), thread(code))).toEqual({ refused: 'damaged' });
});

test('a large photo in parts comes in half its size', async () => {
  const answer = await convertHeic(sample('wide'));
  if (!('file' in answer)) throw new Error(answer.refused);
  const metadata = await sharp(Buffer.from(answer.file.buffer)).metadata();
  expect(metadata).toMatchObject({ format: 'tiff', width: 2400, height: 32, channels: 3, orientation: 8 });
});
