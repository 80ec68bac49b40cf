import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../clock.ts';
import { readEnv } from '../env.ts';
import { createFiles, type Files } from './files.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-store-'));
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: path.join(folder, 'buckets'),
  configureBuckets: [{ name: 'pictures' }],
});
// The one pair of keys that this store knows.
const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
let storeUrl = '';
beforeAll(async () => {
  storeUrl = `http://127.0.0.1:${(await store.run()).port}`;
});
afterAll(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
const bucket = (name: string, settings: Record<string, string> = keys): Files =>
  createFiles(readEnv({ DATA_DIR: folder, S3_URL: `${storeUrl}/${name}`, ...settings }));

describe.each([
  ['a folder', () => createFiles(readEnv({ DATA_DIR: folder }))],
  ['a bucket', () => bucket('pictures')],
])('in %s', (_where, open) => {
  test('what is written is read, replaced whole, and removed', async () => {
    const files = open();
    const key = 'private/licences/a.webp';
    expect(await files.read(key)).toBeNull();
    await files.write(key, Buffer.from('first, and longer'));
    await files.write(key, Buffer.from('second'));
    expect((await files.read(key))?.toString()).toBe('second');
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await files.write('public/avatars/-b_.webp', bytes);
    expect((await files.read('public/avatars/-b_.webp'))?.equals(bytes)).toBe(true);
    await files.remove(key);
    await files.remove(key);
    expect(await files.read(key)).toBeNull();
  });

  test('nothing leads out of the store', async () => {
    const files = open();
    for (const key of [
      '../secret',
      'public/../../secret',
      '',
      '/etc/passwd',
      'a//b',
      'a/.hidden',
      'a?b',
      'a\0',
    ])
      await expect(files.write(key, Buffer.from('x')), key).rejects.toThrow('leads out');
  });
});

test('in a folder nobody sees half a file', async () => {
  const files = createFiles(readEnv({ DATA_DIR: folder }));
  await files.write('public/events/c.webp', Buffer.from('c'));
  expect(fs.readdirSync(path.join(folder, 'files', 'public', 'events'))).toEqual(['c.webp']);
  expect(await files.read('public/events')).toBeNull();
});

test('in a folder nothing is left of a file that could not be written, nor of one whose process died', async () => {
  const root = path.join(folder, 'files');
  const all = () => fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = createFiles(readEnv({ DATA_DIR: folder }));
  await files.write('private/exports/f/1-0.part', Buffer.from('f'));
  const before = all();
  await expect(files.write('private/exports/f', Buffer.from('no file can be here'))).rejects.toThrow();
  expect(all()).toEqual(before);

  const [left, underWay] = ['left', 'underWay'].map((name) => path.join(root, 'aside', name)) as [
    string,
    string,
  ];
  for (const file of [left, underWay]) fs.writeFileSync(file, 'half');
  const anHourAgo = new Date(Date.now() - hourMs);
  fs.utimesSync(left, anHourAgo, anHourAgo);
  await createFiles(readEnv({ DATA_DIR: folder })).write('private/exports/f/1-1.part', Buffer.from('f'));
  expect([fs.existsSync(left), fs.existsSync(underWay)]).toEqual([false, true]);
});

test('two processes with one bucket read what the other has written', async () => {
  await bucket('pictures').write('public/avatars/d.webp', Buffer.from('d'));
  expect((await bucket('pictures/').read('public/avatars/d.webp'))?.toString()).toBe('d');
});

test('a bucket that is not there, keys that are wrong and a store that is away are errors, never an empty answer', async () => {
  await expect(bucket('elsewhere').write('public/a.webp', Buffer.from('x'))).rejects.toThrow(
    'no such bucket',
  );
  const foreign = bucket('pictures', { ...keys, S3_SECRET_ACCESS_KEY: 'wrong' });
  await expect(foreign.read('public/avatars/-b_.webp')).rejects.toThrow('answered 403');
  const away = createFiles(readEnv({ DATA_DIR: folder, S3_URL: 'http://127.0.0.1:9/pictures', ...keys }));
  await expect(away.read('public/a.webp')).rejects.toThrow();
});

test('a store that stumbles is asked again', async () => {
  const answers = [503, 500, 200];
  const stumbling = http.createServer((_request, response) => {
    response.writeHead(answers.shift()!).end('there');
  });
  await new Promise<void>((resolve) => stumbling.listen(0, '127.0.0.1', resolve));
  const { port } = stumbling.address() as AddressInfo;
  const files = createFiles(readEnv({ S3_URL: `http://127.0.0.1:${port}/pictures`, ...keys }));
  expect((await files.read('public/a.webp'))?.toString()).toBe('there');
  stumbling.close();
});

test('a bucket without its keys is a wrong configuration', () => {
  expect(() => readEnv({ S3_URL: 'https://store.example/pictures' })).toThrow('S3_ACCESS_KEY_ID');
});
