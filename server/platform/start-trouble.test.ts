import { expect, test } from 'vitest';
import { rootOf, troubleOfMachine } from './start-trouble.ts';

const here = import.meta.dirname;
const system = (code: string, path: string) => Object.assign(new Error(`${code}: …`), { code, path });

test.each([
  ['no space for a file', system('ENOSPC', '/data/regions/x'), /^The disk that holds .* is full/],
  [
    'the database has no space',
    Object.assign(new Error('x'), { code: '53100' }),
    /^The disk that holds .* is full/,
  ],
  [
    'initdb has no space, two causes down',
    new Error('a', {
      cause: new Error('b', { cause: new Error('could not write: No space left on device') }),
    }),
    /^The disk that holds .* is full/,
  ],
  [
    'a folder of somebody else',
    system('EACCES', '/data'),
    /^\/data cannot be written: this user may not write there\./,
  ],
  ['a read-only disk', system('EROFS', '/data'), /^\/data cannot be written: its file system is read-only\./],
  [
    'a file in the way',
    system('ENOTDIR', '/data/postgres'),
    /^\/data\/postgres cannot be written: a file is in the place/,
  ],
])('%s is told in one sentence with its remedy', (_, error, expected) => {
  const sentence = troubleOfMachine(error, here);
  expect(sentence).toMatch(expected);
  expect(sentence).toContain('DATA_DIR=');
  expect(sentence).not.toContain('\n');
});

test('what the machine is not to blame for is left to say itself, from its root', () => {
  const root = new Error('connection refused');
  const error = new Error('Failed query: insert into places … params: 36.97', { cause: root });
  expect(troubleOfMachine(error, here)).toBeNull();
  expect(rootOf(error)).toBe(root);
});
