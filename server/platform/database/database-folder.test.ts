import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseDatabaseFolder, placeDatabase, scratchFolder } from './database-folder.ts';

const isRoot = process.getuid?.() === 0;
let open = '';
beforeEach(() => {
  open = scratchFolder('sameway-folders-');
});
afterEach(() => fs.rmSync(open, { recursive: true, force: true }));

const own = (holdsData: boolean, serves: boolean) => ({ folder: 'own', holdsData, serves });
const apart = (holdsData: boolean, serves: boolean) => ({ folder: 'apart', holdsData, serves });

test.each([
  ['beside the other data where that serves', own(false, true), apart(false, true), 'own'],
  ['apart where it does not', own(false, false), apart(false, true), 'apart'],
  ['where it lies already', own(false, true), apart(true, true), 'apart'],
  ['its own place first, where both hold one', own(true, true), apart(true, true), 'own'],
  ['nowhere else while one lies where nobody can reach it', own(true, false), apart(false, true), undefined],
  ['nowhere else while one lies apart unreachably', own(false, true), apart(true, false), undefined],
  ['nowhere where nothing serves', own(false, false), apart(false, false), undefined],
])('the database lies %s', (_, first, second, expected) => {
  expect(chooseDatabaseFolder(first, [second])?.folder).toBe(expected);
});

test('a database lies beside the data where its user can pass, in a path with a blank and an umlaut too', () => {
  const data = path.join(open, 'Täglich neu', 'data');
  expect(placeDatabase(data, [path.join(open, 'system')])).toBe(path.join(data, 'postgres'));
  expect(fs.existsSync(path.join(open, 'system'))).toBe(false);
});

test.runIf(isRoot)(
  'below private folders each data folder of root has a database of its own, the same at every start',
  () => {
    const system = [path.join(open, 'system')];
    const folderOf = (name: string) => {
      fs.mkdirSync(path.join(open, name), { recursive: true, mode: 0o700 });
      return placeDatabase(path.join(open, name, 'clone', '.data'), system);
    };
    const [first, second] = [folderOf('one'), folderOf('two')];
    expect(first).toMatch(/system\/\w+\/postgres$/);
    expect(second).not.toBe(first);
    expect(folderOf('one')).toBe(first);
    expect(fs.statSync(first)).toMatchObject({ uid: 65534 });
    expect(fs.readdirSync(path.join(open, 'one', 'clone', '.data'))).toEqual([]);
  },
);

test.runIf(isRoot)(
  'a database that has become unreachable is not replaced by an empty one: one sentence says what to do',
  () => {
    const data = path.join(open, 'clone', '.data');
    const folder = placeDatabase(data, [path.join(open, 'system')]);
    fs.mkdirSync(path.join(folder, 'data'));
    fs.writeFileSync(path.join(folder, 'data', 'PG_VERSION'), '18\n');
    fs.chmodSync(path.join(open, 'clone'), 0o700);
    expect(() => placeDatabase(data, [path.join(open, 'system')])).toThrow(
      `who may not enter ${path.join(open, 'clone')}. Let it pass: chmod a+x`,
    );
  },
);

test.runIf(isRoot)('where no folder serves, one sentence names those that were tried', () => {
  const data = path.join(open, 'private', 'data');
  fs.mkdirSync(path.join(open, 'private'), { mode: 0o700 });
  expect(() => placeDatabase(data, [path.join(open, 'private', 'system')])).toThrow(
    /private\/data\/postgres nor in .*DATA_DIR=/,
  );
});

test('throw-away data lies where the database can reach it, wherever temporary files lie', () => {
  const before = process.env['TMPDIR'];
  fs.chmodSync(open, 0o700);
  process.env['TMPDIR'] = path.join(open, 'tmp');
  fs.mkdirSync(path.join(open, 'tmp'));
  const folder = scratchFolder('sameway-scratch-');
  try {
    expect(placeDatabase(folder, [])).toBe(path.join(folder, 'postgres'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test.runIf(fs.existsSync('/dev/shm'))('throw-away data lies in memory only where so much is free', () => {
  const folders = [1, Number.MAX_SAFE_INTEGER].map((bytes) => scratchFolder('sameway-scratch-', bytes));
  try {
    expect(folders.map((folder) => folder.startsWith('/dev/shm/'))).toEqual([true, false]);
  } finally {
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  }
});
