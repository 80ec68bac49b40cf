import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupNote } from '../server/platform/backup/backup-notes.ts';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { openInstalledPostgres, type InstalledPostgres } from '../server/testing/installed-postgres.ts';

const isRoot = process.getuid?.() === 0;
/** The user of the installation, as units have one. */
const user = isRoot ? 65_534 : (process.getuid?.() ?? 0);
const home = scratchFolder('sameway-units-', 64 * 1024 ** 2);
const folderOf = (name: string): string => path.join(home, name);
let server: InstalledPostgres | null;
beforeAll(async () => {
  server = await openInstalledPostgres();
});
afterAll(async () => {
  await server?.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** Runs an operator's command as root without any setting of its own, in an empty folder. */
function run(script: string, words: readonly string[], settings: Record<string, string>) {
  const env = { PATH: process.env['PATH'], ...settings };
  const args = ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, script), ...words];
  return new Promise<{ status: number; said: string }>((resolve) => {
    const child = execFile(process.execPath, args, { env, cwd: folderOf('cwd') }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, said: `${stdout}${stderr}`.trim() }),
    );
  });
}

test('commands of an operator work on the installation of the units, as its user, or are refused', async (context) => {
  if (server === null) return context.skip();
  const owner = await server.create('town');
  for (const name of ['etc/secrets', 'cwd', 'data/files/public', 'backups'])
    fs.mkdirSync(folderOf(name), { recursive: true });
  const write = (name: string, text: string) => fs.writeFileSync(folderOf(name), text, { mode: 0o600 });
  write('etc/settings.env', `PUBLIC_URL=https://ride.example.com\nDATA_DIR=${folderOf('data')}\n`);
  write('etc/backup.env', `BACKUP_TO=${folderOf('backups')}\n`);
  write('etc/secrets/database-migration-url', owner);
  write('etc/secrets/database-url', owner.replace('operator@', 'sameway_calls:secret@'));
  write('etc/secrets/backup-key', 'the key of this test');
  write('data/files/public/a.webp', 'a picture');
  for (const name of ['data', 'data/files', 'data/files/public', 'data/files/public/a.webp', 'backups'])
    fs.chownSync(folderOf(name), user, user);

  const settings = { SAMEWAY_SETTINGS: folderOf('etc/settings.env') };
  const closed = await run('admin.ts', ['maintenance', 'on', '--message', 'Back at six.'], settings);
  expect(closed).toMatchObject({ status: 0, said: expect.stringContaining('People are kept out') });
  const client = new Client(owner);
  await client.connect();
  const { rows } = await client.query(
    `select value->>'message' as message from settings where name = 'maintenance'`,
  );
  await client.end();
  expect(rows).toEqual([{ message: 'Back at six.' }]);

  const made = await run('backup.ts', ['--json'], settings);
  expect(made.status, made.said).toBe(0);
  const [archive, note] = fs.readdirSync(folderOf('backups')).toSorted((a, b) => b.length - a.length);
  expect(archive).toMatch(/\.sealed$/);
  const described = backupNote.parse(JSON.parse(fs.readFileSync(folderOf(`backups/${note}`), 'utf8')));
  expect(described).toMatchObject({ database: 'dump', isSealed: true, files: 2 });
  // The worker, which is not root, reads and removes them.
  for (const name of [archive, note]) expect(fs.statSync(folderOf(`backups/${name}`)).uid).toBe(user);

  for (const [script, words] of [
    ['admin.ts', ['roles']],
    ['backup.ts', ['--to', folderOf('elsewhere')]],
  ] as const)
    expect(await run(script, words, {})).toMatchObject({
      status: 1,
      said: expect.stringContaining(`There is no database in ${folderOf('cwd/.data')}`),
    });
  expect(fs.readdirSync(folderOf('cwd'))).toEqual([]);
  expect(fs.existsSync(folderOf('elsewhere'))).toBe(false);
});
