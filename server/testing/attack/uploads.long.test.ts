import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadImage } from '#contract/pictures/endpoints.ts';
import { randomFrom } from '../random.ts';
import { openTestApp, type TestApp, type TestPerson } from '../test-app.ts';
import { upload } from '../upload.ts';
import { collectGarbage } from './collect-garbage.ts';
import { leaksIn } from './leaks.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';

// Malicious files: the server refuses each with a reason, or re-encodes it so that none of its bytes remain.
// `features/pictures/pictures.db.test.ts` tests single decompression bombs and wrong types; this test sends
// many of each.

const formats = ['jpeg', 'png', 'webp'] as const;
type Format = (typeof formats)[number];
const mark = 'PayloadQ7391';

let app: TestApp;
let mia: TestPerson;
let restoreLimits = () => {};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-uploads-'));
const counts = { files: 0, drawn: 0, refused: 0 };
const figures: Record<string, string> = {};
beforeAll(async () => {
  app = await openTestApp({ env: { DATA_DIR: folder } });
  mia = await app.person('Mia');
  restoreLimits = liftLimits();
});
afterAll(async () => {
  restoreLimits();
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
  printCounts('uploads', { ...counts, ...figures });
});

/** A picture that does not compress well. */
function pictureOf(format: Format, width = 160, height = 120): Promise<Buffer> {
  const random = randomFrom(7);
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)));
  const taken = sharp(pixels, { raw: { width, height, channels: 3 } }).withExif({
    IFD0: { Artist: mark, ImageDescription: mark },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '36/1 58/1 27/1', GPSLongitude: '122/1 1/1 34/1' },
  });
  return taken.toFormat(format).toBuffer();
}

/** Sends a file. The server must refuse it with a reason, or store nothing of its own bytes. */
async function send(bytes: Buffer, name?: string): Promise<'drawn' | 'refused'> {
  counts.files += 1;
  const answer = await upload(app, mia, 'license', [{ bytes, ...(name !== undefined && { name }) }]);
  expect(leaksIn(JSON.stringify(answer))).toEqual([]);
  if (answer.code !== 200) {
    expect(answer).toMatchObject({ code: 422, reason: expect.stringMatching(/^upload\./) });
    counts.refused += 1;
    return 'refused';
  }
  counts.drawn += 1;
  const { url } = answer.data as { url: string };
  const file = await app.http.inject({ method: 'GET', url });
  expect(file.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
  expect(file.rawPayload.includes(mark)).toBe(false);
  const metadata = await sharp(file.rawPayload).metadata();
  for (const kind of ['exif', 'icc', 'xmp', 'iptc', 'comments'] as const)
    expect(metadata[kind]).toBeUndefined();
  return 'drawn';
}

test.each(formats)('where and by whom a %s was taken is not kept', async (format) => {
  expect(await send(await pictureOf(format))).toBe('drawn');
});

test.each(formats)(
  'a %s cut off anywhere, or with any bytes changed, is refused or drawn anew',
  async (format) => {
    const whole = await pictureOf(format, 60, 40);
    const random = randomFrom(format.length);
    for (let at = 1; at < 60; at++) await send(whole.subarray(0, Math.ceil((whole.length * at) / 60)));
    for (let round = 0; round < 140; round++) {
      const broken = Buffer.from(whole);
      for (let flips = 0; flips <= round % 12; flips++)
        broken[Math.floor(random() * (round % 2 === 0 ? 80 : broken.length))] = Math.floor(random() * 256);
      await send(broken);
    }
  },
);

const page = `<!doctype html><script>${mark}</script>`;
const tails: [string, Buffer][] = [
  ['a page', Buffer.from(page)],
  ['a script', Buffer.from(`/*${mark}*/alert(1)`)],
  ['a drawing', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="${mark}"/>`)],
  ['an archive', Buffer.concat([Buffer.from(`PK\x03\x04${mark}PK\x05\x06`, 'latin1'), Buffer.alloc(18)])],
  ['a document', Buffer.from(`%PDF-1.7\n${mark}\n%%EOF`)],
  ['a program', Buffer.from(`\x7fELF${mark}`, 'latin1')],
  ['a server’s script', Buffer.from(`<?php system("${mark}"); ?>`)],
  ['a compressed page', gzipSync(page)],
];

test.each(formats)('a %s that is something else too is refused, or loses it', async (format) => {
  const picture = await pictureOf(format);
  for (const [, tail] of tails) {
    await send(Buffer.concat([picture, tail]), 'photo.html');
    await send(Buffer.concat([tail, picture]), 'photo.jpg');
  }
});

const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inner}</svg>`;
const notPictures: [string, Buffer][] = [
  ['a drawing with a script', Buffer.from(svg('<script>alert(1)</script>'))],
  ['a drawing with a handler', Buffer.from(svg('<image onerror="alert(1)"/>'))],
  ['a drawing that asks for another file', Buffer.from(svg('<image xlink:href="file:///etc/passwd"/>'))],
  [
    'a drawing with entities in entities',
    Buffer.from(`<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;&b;">]>${svg('&c;')}`),
  ],
  ['a compressed drawing', gzipSync(svg('<script/>'))],
  ['a drawing after a byte order mark', Buffer.from(`\uFEFF \n<?xml version="1.0"?>${svg('')}`)],
  ['a TIFF', Buffer.from('II*\x00\x08\x00\x00\x00', 'latin1')],
  ['a BMP', Buffer.from(`BM${'\x00'.repeat(60)}`, 'latin1')],
  ['an icon', Buffer.from('\x00\x00\x01\x00\x01\x00', 'latin1')],
  ['a Photoshop file', Buffer.from('8BPS\x00\x01', 'latin1')],
  ['PostScript', Buffer.from('%!PS-Adobe-3.0 EPSF-3.0')],
  ['a script for a converter', Buffer.from('push graphic-context\nfill url(https://127.0.0.1/)')],
  ['a film', Buffer.from('\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2', 'latin1')],
  ['sound', Buffer.from('ID3\x03\x00', 'latin1')],
  ['an archive', Buffer.from('PK\x03\x04\x14\x00', 'latin1')],
  ['nothing but zeros', Buffer.alloc(100_000)],
  ['a list of other files', Buffer.from('#EXTM3U\nfile:///etc/passwd')],
];

test.each(notPictures)('%s is no picture', async (_, bytes) => {
  for (const name of ['photo.jpg', 'photo.svg', '../../photo.php\0.png', `${'a'.repeat(5000)}.webp`])
    expect(await send(bytes, name)).toBe('refused');
});

test('malformed, nested, endless and many-part forms are refused, and nothing crashes', async () => {
  const jpeg = await pictureOf('jpeg');
  const part = (headers: string, body: Buffer | string) =>
    Buffer.concat([Buffer.from(`--b\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
  const file = part(
    'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg',
    jpeg,
  );
  const purpose = part('Content-Disposition: form-data; name="purpose"', 'avatar');
  const end = Buffer.from('--b--\r\n');
  const bodies: Buffer[] = [
    Buffer.alloc(0),
    Buffer.from('--b'),
    end,
    purpose,
    Buffer.concat([purpose, file]),
    Buffer.concat([purpose, file, file, file, end]),
    Buffer.concat([...Array.from({ length: 500 }, () => purpose), end]),
    Buffer.concat([part(`Content-Disposition: form-data; name="__proto__"`, 'x'), purpose, file, end]),
    Buffer.concat([part(`X: ${'y'.repeat(100_000)}`, 'x'), end]),
    Buffer.concat([
      part('Content-Disposition: form-data; name="purpose"; filename*=UTF-8\'\'%00', 'avatar'),
      end,
    ]),
    Buffer.concat([part('Content-Type: multipart/mixed; boundary=b', '--b\r\n--b\r\n'), end]),
    Buffer.concat([part('Content-Disposition: form-data; name="purpose"', 'p'.repeat(5000)), file, end]),
  ];
  for (const payload of bodies)
    for (const type of [
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=""',
      'multipart/form-data',
    ]) {
      counts.files += 1;
      const answer = await app.http.inject({
        method: 'POST',
        url: uploadImage.path,
        headers: { 'content-type': type, authorization: `Bearer ${mia.token}`, 'x-request-id': randomUUID() },
        payload,
      });
      expect(
        answer.statusCode,
        `${type}: ${payload.subarray(0, 200).toString()}\n${answer.body}`,
      ).toBeLessThan(500);
      expect(leaksIn(answer.body)).toEqual([]);
    }
});

/** Memory in MB after a garbage collection: what this process holds, and what the machine has given it. */
function memory(): { heldMb: number; residentMb: number } {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heldMb: (heapUsed + external) / 1e6, residentMb: rss / 1e6 };
}

test('after a hundred decompression bombs, two hundred more take no further memory', async () => {
  const bomb = await sharp({ create: { width: 7900, height: 8000, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  const afterBombs = async (rounds: number) => {
    for (let round = 0; round < rounds; round++)
      await Promise.all(Array.from({ length: 4 }, () => sendOrWait(bomb)));
    return memory();
  };
  await afterBombs(25);
  const first: ReturnType<typeof memory>[] = [];
  const second: ReturnType<typeof memory>[] = [];
  for (const half of [first, second])
    for (let each = 0; each < 4; each++) half.push(await afterBombs(6 + (each % 2)));
  const of = (half: typeof first, what: keyof ReturnType<typeof memory>) => half.map((each) => each[what]);
  figures['MB held after 100, 200 and 300 bombs'] = [first[0], first[3], second[3]]
    .map((each) => Math.round(each!.heldMb))
    .join(', ');
  figures['MB resident, lowest and highest of the second and third hundred'] = [first, second]
    .map(
      (half) =>
        `${Math.min(...of(half, 'residentMb').map(Math.round))} to ${Math.max(...of(half, 'residentMb').map(Math.round))}`,
    )
    .join(', ');
  expect(Math.max(...of(second, 'heldMb'))).toBeLessThan(Math.max(...of(first, 'heldMb')) + 3);
  // The decoder's allocator keeps and returns some hundred MB as it likes, so only a level that rises counts.
  expect(Math.min(...of(second, 'residentMb'))).toBeLessThan(Math.max(...of(first, 'residentMb')) + 20);
}, 300_000);

/** If several arrive at once, the server may ask to try again. */
async function sendOrWait(bytes: Buffer): Promise<void> {
  counts.files += 1;
  const answer = await upload(app, mia, 'avatar', [{ bytes }]);
  expect([200, 422, 429]).toContain(answer.code);
}
