import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveAvatar } from '#contract/pictures/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { dayMs, minuteMs } from '../../platform/clock.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { upload } from '../../testing/upload.ts';
import { peopleByIds } from '../identity/people.ts';
import { clearPictures } from './schedule.ts';
import { exportPictures } from './upload-picture.ts';
import { removePicturesOf } from './store.ts';

let app: TestApp;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-files-'));
beforeAll(async () => {
  app = await openTestApp({ env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3f7f5f' } });
const jpeg = (width = 40, height = 30): Promise<Buffer> => canvas(width, height).jpeg().toBuffer();

/** Every file below the store, by its path in it. */
const stored = (): string[] => {
  const root = path.join(folder, 'files');
  if (!fs.existsSync(root)) return [];
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
};

/** A PNG without pixel data whose header claims a size, which a decoder would have to allocate. */
function bomb(width: number, height = width, kind = [1, 0, 0, 0, 0]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
const page = Buffer.from('<!doctype html><script>alert(1)</script>');

test.each<[string, string, () => Promise<Buffer> | Buffer]>([
  ['a page named .jpg', 'upload.notPicture', () => page],
  [
    'a drawing that can run scripts',
    'upload.notPicture',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['a GIF', 'upload.notPicture', () => Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
  ['a picture bomb of 50,000 × 50,000', 'upload.tooManyPixels', () => bomb(50_000)],
  ['one row of 64,000,000 pixels', 'upload.tooManyPixels', () => bomb(64_000_000, 1)],
  ['one column of 20,001 pixels', 'upload.tooManyPixels', () => bomb(1, 20_001)],
  ['one row more than 64,000,000 pixels', 'upload.tooManyPixels', () => bomb(8000, 8001)],
  // Not refused by its header: only decoding shows that rows are missing.
  ['64,000,000 pixels that are not there', 'upload.damaged', () => bomb(20_000, 3200)],
  // Sixteen bits of red, green, blue and alpha, interlaced: all of it would be in memory at once.
  [
    '36,000,000 interlaced pixels of 16 bits',
    'upload.tooManyPixels',
    () => bomb(6000, 6000, [16, 6, 0, 0, 1]),
  ],
  ['12 MB', 'upload.tooLarge', async () => Buffer.concat([await jpeg(), Buffer.alloc(12_000_000)])],
  ['a picture with a page inside', 'upload.hidesFile', async () => Buffer.concat([await jpeg(), page])],
  [
    'a picture with an archive inside',
    'upload.hidesFile',
    async () => Buffer.concat([await jpeg(), emptyZip]),
  ],
  ['half a picture', 'upload.damaged', async () => (await jpeg(900, 900)).subarray(0, 1500)],
  [
    'letters behind a picture’s first bytes',
    'upload.damaged',
    () => Buffer.from('\xff\xd8\xff\xe0 hello', 'latin1'),
  ],
  ['an empty file', 'upload.none', () => Buffer.alloc(0)],
])('%s is refused in words, and nothing is kept', async (_, reason, make) => {
  const mia = await app.person('Mia');
  const before = stored();
  const answer = await upload(app, mia, 'avatar', [{ bytes: await make() }]);
  expect(answer).toMatchObject({ code: 422, reason, data: { fields: { file: expect.any(String) } } });
  expect(stored()).toEqual(before);
  expect(await exported(mia.id)).toEqual([]);
});

async function exported(personId: string): Promise<{ name: string }[]> {
  const found: { name: string }[] = [];
  for await (const each of exportPictures(app.platform, personId)) found.push(each);
  return found;
}

test('a file just beyond the limit, cut off on the way, is refused too', async () => {
  const mia = await app.person('Mia');
  const bytes = Buffer.concat([await jpeg(), Buffer.alloc(10_000_001)]);
  const answer = await upload(app, mia, 'avatar', [{ bytes }]);
  expect(answer).toMatchObject({ code: 422, reason: 'upload.tooLarge', info: 'Maximum size is 10 MB.' });
});

test('one picture at a time, for a known purpose, from somebody signed in', async () => {
  const mia = await app.person('Mia');
  const bytes = await jpeg();
  expect(await upload(app, mia, 'avatar', [{ bytes }, { bytes }])).toMatchObject({
    code: 422,
    reason: 'upload.tooMany',
    info: 'Too many selected photos.',
  });
  expect(await upload(app, mia, 'avatar', [])).toMatchObject({
    code: 422,
    reason: 'upload.none',
    info: 'Please choose an image first.',
  });
  expect(await upload(app, mia, 'wallpaper', [{ bytes }])).toMatchObject({
    code: 422,
    reason: 'input.invalid',
    data: { fields: { purpose: expect.any(String) } },
  });
  expect(await upload(app, null, 'avatar', [{ bytes }])).toMatchObject({ code: 400 });
});

test('a photo is drawn anew: upright, small, without where and when it was taken', async () => {
  const mia = await app.person('Mia');
  const taken = await canvas(3000, 2000)
    .withExif({ IFD0: { Make: 'Camera', Artist: 'Mia' }, IFD3: { GPSLatitude: '36/1 58/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(taken).metadata()).orientation).toBe(6);
  const answer = await upload(app, mia, 'license', [{ bytes: taken, name: '../../evil.php' }]);
  expect(answer).toMatchObject({ code: 200, data: { width: 1600, height: 2400 } });
  const file = await app.http.inject({ method: 'GET', url: (answer.data as { url: string }).url });
  expect(file.statusCode).toBe(200);
  expect(file.headers['content-type']).toBe('image/webp');
  expect(file.headers['cache-control']).toBe('private, no-store');
  const metadata = await sharp(file.rawPayload).metadata();
  expect(metadata).toMatchObject({ format: 'webp', width: 1600, height: 2400 });
  for (const kind of ['exif', 'icc', 'xmp', 'iptc'] as const) expect(metadata[kind]).toBeUndefined();
  expect(stored().some((name) => name.includes('evil'))).toBe(false);
});

test('who sends a dozen pictures at once has to send some of them again', async () => {
  const mia = await app.person('Mia');
  const bytes = await jpeg(2400, 2400);
  const sent = Array.from({ length: 12 }, () => upload(app, mia, 'license', [{ bytes }]));
  const reasons = (await Promise.all(sent)).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set([undefined, 'server.busy']));
  expect((await upload(app, mia, 'avatar', [{ bytes }])).code).toBe(200);
});

test('an avatar is shown wherever the person is, and the one before goes', async () => {
  const mia = await app.person('Mia');
  const send = async () => {
    const answer = await upload(app, mia, 'avatar', [{ bytes: await jpeg(900, 600) }]);
    return answer.data as { id: string; url: string };
  };
  const first = await send();
  const profile = await app.ok(mia, saveAvatar, { picture: first.id });
  expect(profile.avatar).toBe(first.url);
  expect((await app.ok(mia, readProfile, {})).avatar).toBe(first.url);
  expect((await peopleByIds(app.platform, [mia.id])).get(mia.id)?.avatar).toBe(first.url);
  const served = await app.http.inject({ method: 'GET', url: first.url });
  expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/webp']);
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ width: 512, height: 512 });

  const second = await send();
  await app.ok(mia, saveAvatar, { picture: second.id });
  await clearPictures(app.platform);
  expect((await app.http.inject({ method: 'GET', url: first.url })).statusCode).toBe(404);
  expect((await app.http.inject({ method: 'GET', url: second.url })).statusCode).toBe(200);

  await app.ok(mia, saveAvatar, { picture: null });
  await clearPictures(app.platform);
  expect((await app.ok(mia, readProfile, {})).avatar).toBe('');
  expect((await app.http.inject({ method: 'GET', url: second.url })).statusCode).toBe(404);
});

test('somebody else’s picture, one used before, or one of another purpose is not there', async () => {
  const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
  const bytes = await jpeg();
  const idOf = async (purpose: 'avatar' | 'license') =>
    ((await upload(app, mia, purpose, [{ bytes }])).data as { id: string }).id;
  const [avatar, license] = [await idOf('avatar'), await idOf('license')];
  for (const [who, picture] of [
    [eve, avatar],
    [mia, license],
    [mia, crypto.randomUUID()],
  ] as const) {
    const answer = await app.call(who, saveAvatar, { picture });
    expect(answer).toMatchObject({ code: 422, reason: 'upload.gone' });
  }
  await app.ok(mia, saveAvatar, { picture: avatar });
  expect((await app.call(mia, saveAvatar, { picture: avatar })).reason).toBe('upload.gone');
  expect((await app.ok(mia, readProfile, {})).avatar).not.toBe('');
});

test('a private address works for minutes, as it was given, and no longer', async () => {
  const mia = await app.person('Mia');
  const answer = await upload(app, mia, 'license', [{ bytes: await jpeg() }]);
  const { url } = answer.data as { url: string };
  const status = async (address: string) =>
    (await app.http.inject({ method: 'GET', url: address })).statusCode;
  expect(await status(url)).toBe(200);
  expect(await status(`${url.slice(0, -2)}AA`)).toBe(404);
  expect(await status('/files/private/x')).toBe(404);
  for (const file of stored().filter((name) => name.includes('licenses')))
    expect(await status(`/files/../private/licences/${path.basename(file)}`)).toBe(404);
  app.clock.advance(10 * minuteMs);
  expect(await status(url)).toBe(404);
});

test('what nobody uses goes after a day, and what belonged to somebody goes with them', async () => {
  const mia = await app.person('Mia');
  const bytes = await jpeg();
  await upload(app, mia, 'license', [{ bytes }]);
  const used = (await upload(app, mia, 'avatar', [{ bytes }])).data as { id: string; url: string };
  await app.ok(mia, saveAvatar, { picture: used.id });
  expect(await exported(mia.id)).toMatchObject([{ name: `avatar-${used.id}.webp` }]);
  const before = stored().length;
  app.clock.advance(dayMs + 1);
  await clearPictures(app.platform);
  expect(stored().length).toBeLessThan(before);
  expect(await exported(mia.id)).toHaveLength(1);
  await app.platform.transact('test', (tx) => removePicturesOf(tx, mia.id));
  await clearPictures(app.platform);
  expect(stored().filter((name) => name.endsWith(path.basename(used.url)))).toEqual([]);
});

test('the forty-first picture within an hour has to wait, before it is read', async () => {
  const busy = await app.person('Busy');
  for (let sent = 0; sent < 40; sent++) await upload(app, busy, 'avatar', []);
  expect((await upload(app, busy, 'avatar', [{ bytes: await jpeg() }])).code).toBe(429);
});

test('many at once are all drawn, a few at a time', async () => {
  const people = await Promise.all(['Mia', 'Leo', 'Noa'].map((name) => app.person(name)));
  const bytes = await jpeg(2000, 1500);
  const wrong = Buffer.from('not a picture');
  const sent = Array.from({ length: 9 }, (_, at) =>
    upload(app, people[at % 3]!, 'license', [{ bytes: at % 3 === 0 ? wrong : bytes }]),
  );
  expect((await Promise.all(sent)).map(({ code }) => code)).toEqual([
    422, 200, 200, 422, 200, 200, 422, 200, 200,
  ]);
});
