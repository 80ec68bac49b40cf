import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installationSettings, unitSettings } from './installation.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-installation-'));
const cwd = process.cwd();
beforeAll(() => process.chdir(home));
afterAll(() => {
  process.chdir(cwd);
  fs.rmSync(home, { recursive: true });
});

const machineFile = path.join(home, 'etc', 'settings.env');
const database = (folder: string): void => {
  fs.mkdirSync(path.join(folder, 'postgres', 'data'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'postgres', 'data', 'PG_VERSION'), '17');
};

test('a command finds the settings file of the machine, with the secrets beside it; its own environment comes first', () => {
  fs.mkdirSync(path.join(home, 'etc', 'secrets'), { recursive: true });
  fs.writeFileSync(
    machineFile,
    '# Ours\nPUBLIC_URL=https://ride.example.com\nMAIL_FROM="A <a@example.com>"\n',
  );
  fs.writeFileSync(path.join(home, 'etc', 'secrets', 'database-url'), 'postgres://calls@127.0.0.1/sameway\n');
  fs.writeFileSync(path.join(home, 'etc', 'secrets', 'backup-key'), 'the key of this test');
  fs.writeFileSync(path.join(home, 'etc', 'backup.env'), 'BACKUP_TO=/srv/backups\n');
  const found = {
    ...unitSettings,
    PUBLIC_URL: 'https://ride.example.com',
    MAIL_FROM: 'A <a@example.com>',
    DATABASE_URL: 'postgres://calls@127.0.0.1/sameway',
    BACKUP_KEY: 'the key of this test',
  };
  expect(installationSettings({}, { machineFile })).toEqual(found);
  expect(installationSettings({}, { machineFile, also: ['backup.env'] })).toEqual({
    ...found,
    BACKUP_TO: '/srv/backups',
  });
  const { BACKUP_KEY: _, ...rest } = found;
  const given = { BACKUP_KEY_FILE: '/run/key', PUBLIC_URL: 'https://other.example.com' };
  expect(installationSettings(given, { machineFile })).toEqual({ ...rest, ...given });
  // A container, a unit, or an operator who names the database: nothing else is read.
  const whole = { DATABASE_URL_FILE: '/run/secrets/database-url' };
  expect(installationSettings(whole, { machineFile })).toEqual(whole);
  const other = { SAMEWAY_SETTINGS: path.join(home, 'other.env') };
  expect(() => installationSettings(other, { machineFile })).toThrow(`there is no ${home}/other.env`);
});

test('two installations, or none, are refused: no command makes a new database but a restore', () => {
  const none = path.join(home, 'none.env');
  expect(() => installationSettings({}, { machineFile: none })).toThrow(
    `There is no database in ${home}/.data, and this command makes none.`,
  );
  expect(() => installationSettings({ DATA_DIR: home }, { machineFile })).toThrow('There is no database');
  expect(installationSettings({}, { machineFile: none, makesDatabase: true })).toEqual({});
  expect(fs.existsSync(path.join(home, '.data'))).toBe(false);
  database(path.join(home, '.data'));
  expect(installationSettings({}, { machineFile: none })).toEqual({});
  expect(() => installationSettings({}, { machineFile })).toThrow(
    `Two installations could be meant: that of ${machineFile}, and the database in ${home}/.data.`,
  );
  const named = { SAMEWAY_SETTINGS: machineFile };
  expect(installationSettings(named, { machineFile })).toMatchObject({ ...named, ...unitSettings });
  expect(installationSettings({ DATA_DIR: '.data' }, { machineFile })).toEqual({ DATA_DIR: '.data' });
});
