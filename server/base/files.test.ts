import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFiles, publicFilesFolder } from './files.ts';

const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-store-'));
const files = createFiles({ DATA_DIR });
afterAll(() => fs.rmSync(DATA_DIR, { recursive: true, force: true }));

test('what is written is read, replaced whole, and removed', async () => {
  const key = 'private/licences/a.webp';
  expect(await files.read(key)).toBeNull();
  await files.write(key, Buffer.from('first, and longer'));
  await files.write(key, Buffer.from('second'));
  expect((await files.read(key))?.toString()).toBe('second');
  expect(fs.readdirSync(path.join(DATA_DIR, 'files', 'private', 'licences'))).toEqual(['a.webp']);
  await files.remove(key);
  await files.remove(key);
  expect(await files.read(key)).toBeNull();
});

test('what is public lies where everybody may read, and nothing leads out of the store', async () => {
  await files.write('public/avatars/b.webp', Buffer.from('b'));
  expect(fs.existsSync(path.join(publicFilesFolder({ DATA_DIR }), 'avatars', 'b.webp'))).toBe(true);
  for (const key of ['../secret', 'public/../../secret', ''])
    await expect(files.write(key, Buffer.from('x'))).rejects.toThrow('leads out');
});
