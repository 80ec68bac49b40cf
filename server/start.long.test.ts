import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchFolder } from './platform/database/database-folder.ts';

const main = path.join(import.meta.dirname, 'main.ts');
const isRoot = process.getuid?.() === 0;
/** A user who is neither root nor the database's user: `daemon` of every Linux. */
const ordinary = { uid: 1, gid: 1 };
const nameless = { uid: 64_999, gid: 64_999 };
const mounts: string[] = [];
const apart = new Set<string>();
let open = '';

beforeAll(() => {
  open = scratchFolder('sameway-starts-');
  if (!isRoot)
    process.stderr.write(
      'SKIPPED: starts as root, as another user and on other disks need root to be tried.\n',
    );
});
afterAll(() => {
  for (const mount of mounts) spawnSync('umount', ['-l', mount]);
  for (const folder of apart) fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(open, { recursive: true, force: true });
});

const folderNamed = (name: string, mode = 0o755): string => {
  const folder = path.join(open, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.chmodSync(folder, mode);
  return folder;
};

/** A small disk of its own; null, loudly, where this machine mounts none. */
function disk(name: string, options: string): string | null {
  const folder = folderNamed(name);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0) {
    mounts.push(folder);
    return folder;
  }
  process.stderr.write(`SKIPPED: nothing can be mounted here, so ${name} is not tried.\n`);
  return null;
}

interface Outcome {
  code: number | null;
  said: string;
  complaint: string;
  /** Where the database lay, and whether one still runs there. */
  database: string | null;
  isLeftRunning: boolean;
}

/**
 * Starts the server without a region or a demo, ends it as soon as it is ready or says something else, and
 * tells what it said.
 */
async function start(
  settings: Record<string, string | undefined>,
  user = {},
  until = 'Sameway is ready',
): Promise<Outcome> {
  const env = { ...process.env, NODE_ENV: 'test', PORT: '0', DEMO: '0', REGION: '', LOG_LEVEL: 'error' };
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    ...user,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complaint] = ['', ''];
  let isTold = false;
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (isTold || !said.includes(until)) return;
    isTold = true;
    server.kill('SIGTERM');
  });
  server.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const code = await new Promise<number | null>((resolve) => server.once('close', resolve));
  const database = /Starting the database in (.*) …/.exec(said)?.[1] ?? null;
  if (database?.startsWith('/var/lib/sameway/') === true) apart.add(path.dirname(database));
  const running = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
  const isLeftRunning = database !== null && running.includes(database);
  return { code, said, complaint, database, isLeftRunning };
}

const ends = { code: 0, complaint: '', isLeftRunning: false };

test.runIf(isRoot)(
  'root starts below private folders, each data folder with a database of its own',
  async () => {
    const databases: (string | null)[] = [];
    for (const name of ['one', 'other']) {
      const DATA_DIR = path.join(folderNamed(name, 0o700), 'clone', '.data');
      const [first, second] = [await start({ DATA_DIR }), await start({ DATA_DIR })];
      expect(first).toMatchObject({ ...ends, said: expect.stringContaining('Sameway is ready') as string });
      expect(second).toMatchObject({ ...ends, database: first.database });
      databases.push(first.database);
    }
    expect(databases[0]).toMatch(/^\/var\/lib\/sameway\/\w+\/postgres$/);
    expect(databases[1]).not.toBe(databases[0]);
  },
);

test.each([
  ['in a path with a blank and an umlaut', 'Täglich neu', {}],
  ['with HOME unset', 'homeless', { HOME: undefined }],
  ['with temporary files in a private folder', 'private-tmp', { TMPDIR: 'private' }],
])('it starts %s', async (_, name, more: Record<string, string | undefined>) => {
  const settings = 'TMPDIR' in more ? { TMPDIR: folderNamed('tmp', 0o700) } : more;
  const DATA_DIR = path.join(folderNamed(name), '.data');
  expect(await start({ DATA_DIR, ...settings })).toMatchObject({
    ...ends,
    database: path.join(DATA_DIR, 'postgres'),
  });
});

test.runIf(isRoot)('an ordinary user starts, with the data on another disk too', async () => {
  const [own, other] = [folderNamed('Übung eins'), disk('disk', 'size=1500m,mode=777')];
  fs.chownSync(own, ordinary.uid, ordinary.gid);
  expect(await start({ DATA_DIR: path.join(own, '.data') }, ordinary)).toMatchObject(ends);
  if (other === null) return;
  fs.symlinkSync(other, path.join(own, 'elsewhere'));
  expect(await start({ DATA_DIR: path.join(own, 'elsewhere') }, ordinary)).toMatchObject(ends);
  expect(await start({ DATA_DIR: path.join(own, 'elsewhere', 'of-root') })).toMatchObject(ends);
});

/** One sentence, an exit code that is none of success, and nothing left running. */
function expectRefused(outcome: Outcome, sentence: RegExp): void {
  expect(outcome.complaint.trim()).toMatch(sentence);
  expect(outcome.complaint.trim()).not.toContain('\n');
  expect(outcome.code).toBeGreaterThan(0);
  expect(outcome.isLeftRunning).toBe(false);
}

test.each([
  ['DATABASE_URL', 'hello', /DATABASE_URL: .*postgres:\/\//],
  ['TILES_URL', 'notaurl', /TILES_URL: .*https:\/\//],
  ['PUBLIC_URL', 'notaurl', /PUBLIC_URL: .*https:\/\//],
  ['REGION', 'atlantis', /atlantis/],
  ['DATABASE_URL', 'postgres://nobody:wrong@127.0.0.1:1/none', /database/i],
])('%s=%s is refused in one sentence', async (name, value, sentence) => {
  const DATA_DIR = folderNamed('settings');
  expectRefused(await start({ DATA_DIR, [name]: value }), sentence);
});

test('a demo whose region is missing is refused in one sentence', async () => {
  const demo = { DATA_DIR: folderNamed('no-region'), DEMO: '1', REGION: 'atlantis' };
  expectRefused(await start(demo), /^There is no region "atlantis"/);
});

test('a start that is ended while the demo is brought in leaves nothing running; the next one brings it in, once', async () => {
  const demo = { DATA_DIR: folderNamed('demo'), DEMO: '1', REGION: 'santa-cruz' };
  const bringing = 'Bringing in the demo community';
  const ended = await start(demo, {}, bringing);
  expect(ended).toMatchObject(ends);
  expect(ended.said).not.toContain('Sameway is ready');
  const first = await start(demo);
  expect(first).toMatchObject({ ...ends, said: expect.stringContaining(bringing) as string });
  const second = await start(demo);
  expect(second).toMatchObject({
    ...ends,
    said: expect.stringContaining('Sign in to the demo with') as string,
  });
  expect(second.said).not.toContain(bringing);
});

test('a port that is taken is refused in one sentence', async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  expectRefused(
    await start({ DATA_DIR: folderNamed('port'), PORT: String(port) }),
    /^Port \d+ is already in use on 127\.0\.0\.1;.* PORT=\d+ npm start$/,
  );
  taken.close();
});

test('a file in the place of the data folder is refused in one sentence', async () => {
  const DATA_DIR = path.join(folderNamed('file'), 'data');
  fs.writeFileSync(DATA_DIR, '');
  expectRefused(await start({ DATA_DIR }), /cannot be written: a file.* DATA_DIR=/);
});

test.runIf(isRoot)(
  'a folder that may not be written, a read-only disk and a full one are refused in one sentence',
  async () => {
    const notMine = path.join(folderNamed('of-root'), 'data');
    expectRefused(await start({ DATA_DIR: notMine }, ordinary), /this user may not write there.* DATA_DIR=/);
    expectRefused(
      await start({ DATA_DIR: path.join(folderNamed('for-all', 0o777), 'data') }, nameless),
      /user 64999 has none in \/etc\/passwd\. .*DATABASE_URL/,
    );
    const readOnly = disk('read-only', 'size=400m,ro');
    if (readOnly !== null)
      for (const user of [{}, ordinary])
        expectRefused(
          await start({ DATA_DIR: path.join(readOnly, 'data') }, user),
          /file system is read-only.* DATA_DIR=/,
        );
    for (const size of ['20m', '70m', '90m']) {
      const small = disk(`full-${size}`, `size=${size},mode=777`);
      if (small !== null)
        expectRefused(
          await start({ DATA_DIR: path.join(small, 'data') }),
          /^The disk that holds .* is full .* DATA_DIR=/,
        );
    }
  },
);
