import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { upload } from '../../../testing/upload.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const sample = (name: string) => fs.readFileSync(path.join(import.meta.dirname, 'samples', `${name}.heic`));

const colors = { red: [224, 32, 32], green: [32, 192, 64], blue: [32, 64, 224], white: [245, 245, 245] };
/** The name of the color at a share of width and height. */
async function colorAt(picture: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
  const near = ([...rgb]: number[]) =>
    rgb.every((value, channel) => Math.abs(value - data[at + channel]!) < 30);
  return Object.entries(colors).find(([, rgb]) => near(rgb))?.[0] ?? data.subarray(at, at + 3).join();
}

async function drawn(bytes: Buffer): Promise<{ width: number; height: number; file: Buffer }> {
  const answer = await upload(app, await app.person('Mia'), 'license', [{ bytes, name: 'IMG_1.jpg' }]);
  expect(answer).toMatchObject({ code: 200 });
  const { url, width, height } = answer.data as { url: string; width: number; height: number };
  const { rawPayload: file } = await app.http.inject({ method: 'GET', url });
  return { width, height, file };
}

// All show red and green above blue and white before they are turned. The names say what the files hold;
// the last ones consist of four parts, as the photos of a phone do of many.
test.each([
  ['turned', 96, 128, 'blue red white green'],
  ['mirrored', 96, 128, 'white green blue red'],
  ['odd', 127, 95, 'red green blue white'],
  ['ten', 128, 96, 'red green blue white'],
  ['p3', 128, 96, 'red green blue white'],
  ['alpha', 128, 96, 'red white red white'],
  ['tiles', 120, 88, 'red green blue white'],
  ['tiles-turned', 88, 120, 'blue red white green'],
  ['tiles-mirrored', 88, 120, 'white green blue red'],
  ['tiles-flipped', 88, 120, 'white green blue red'],
])('a HEIC photo is drawn upright in its colors: %s', async (name, width, height, corners) => {
  const picture = await drawn(sample(name));
  expect(picture).toMatchObject({ width, height });
  const found = [];
  for (const y of [0.1, 0.9]) for (const x of [0.1, 0.9]) found.push(await colorAt(picture.file, x, y));
  expect(found.join(' ')).toBe(corners);
});

test('what a HEIC photo tells of place, time and camera is not kept', async () => {
  const bytes = sample('turned');
  expect(bytes.includes('Camera')).toBe(true);
  const { file } = await drawn(bytes);
  expect(file.includes('Camera')).toBe(false);
  const metadata = await sharp(file).metadata();
  expect(metadata.format).toBe('webp');
  for (const kind of ['exif', 'icc', 'xmp', 'iptc'] as const) expect(metadata[kind]).toBeUndefined();
});

test.each(['avatar', 'chat', 'event'])('a HEIC photo serves as a picture for: %s', async (purpose) => {
  const answer = await upload(app, await app.person('Mia'), purpose, [{ bytes: sample('tiles-turned') }]);
  const side = purpose === 'avatar' ? [512, 512] : [88, 120];
  expect(answer).toMatchObject({ code: 200, data: { width: side[0], height: side[1] } });
});

/** The same file with other sizes in each `ispe` box. */
function claiming(name: string, width: number, height: number): Buffer {
  const bytes = Buffer.from(sample(name));
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 1)) {
    bytes.writeUInt32BE(width, at + 8);
    bytes.writeUInt32BE(height, at + 12);
  }
  return bytes;
}

const header = (brand: string) =>
  Buffer.from(`\x00\x00\x00\x18ftyp${brand}\x00\x00\x00\x00mif1heic`, 'latin1');

test.each<[string, string, () => Buffer]>([
  ['a header alone', 'upload.damaged', () => header('heic')],
  ['half a photo', 'upload.damaged', () => sample('turned').subarray(0, 700)],
  ['half a photo in parts', 'upload.damaged', () => sample('tiles').subarray(0, 900)],
  [
    'letters behind the first bytes',
    'upload.damaged',
    () => Buffer.concat([header('heic'), Buffer.from('hello')]),
  ],
  ['30,000 × 30,000', 'upload.tooManyPixels', () => claiming('turned', 30_000, 30_000)],
  ['64,000,000 pixels in a row', 'upload.tooManyPixels', () => claiming('turned', 64_000_000, 1)],
  ['64,000,000 pixels in one part', 'upload.tooManyPixels', () => claiming('turned', 8000, 8000)],
  ['parts of 30,000 × 30,000', 'upload.damaged', () => claiming('tiles', 30_000, 30_000)],
  ['a photo that is larger than it says', 'upload.tooManyPixels', () => sample('lies')],
  ['another format in the same container', 'upload.notPicture', () => sample('av1')],
  [
    'a HEIC with a page inside',
    'upload.hidesFile',
    () => Buffer.concat([sample('ten'), Buffer.from('<script>')]),
  ],
])('%s is refused in words', async (_, reason, make) => {
  const answer = await upload(app, await app.person('Mia'), 'license', [{ bytes: make() }]);
  expect(answer).toMatchObject({ code: 422, reason, data: { fields: { file: expect.any(String) } } });
});

test('a HEIC photo with any bytes changed is refused or drawn, and the next is drawn', async () => {
  const whole = sample('tiles');
  const mia = await app.person('Mia');
  for (let round = 0; round < 12; round++) {
    const bytes = Buffer.from(whole);
    for (let flips = 0; flips < 6; flips++)
      bytes[12 + ((round * 997 + flips * 331) % (bytes.length - 12))] = round;
    const answer = await upload(app, mia, 'chat', [{ bytes }]);
    expect([200, 422]).toContain(answer.code);
  }
  expect((await upload(app, mia, 'chat', [{ bytes: whole }])).code).toBe(200);
});
