import fs from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { hasDatabase } from '../server/platform/database/database-folder.ts';
import { settingNames } from '../server/platform/env.ts';

/** The settings of an installation by systemd: its units and the operator's commands read the same file. */
const systemFile = '/etc/sameway/settings.env';
/** Names another such file, for commands alone. */
const fileSetting = 'SAMEWAY_SETTINGS';
/** As the units set them. */
export const unitSettings: NodeJS.ProcessEnv = { NODE_ENV: 'production', DATA_DIR: '/var/lib/sameway' };
const usualDataFolder = '.data';

/** The operator's words for what to name, at the end of each refusal. */
const remedy = `Name the installation as its processes have it: ${fileSetting}=/path/of/settings.env, DATABASE_URL or DATA_DIR.`;

interface Choice {
  /** Further files that this command reads in addition to the settings, such as `backup.env`. */
  also?: readonly string[];
  /** Whether the command makes the database, as a restore does. */
  makesDatabase?: boolean;
  /** Where the settings of the machine's installation are; another place in tests. */
  machineFile?: string;
}

/**
 * The settings of the installation that a command of the operator is for: the command's own where they name a
 * database, else those of the settings file of this machine, with the secrets from the same folder. As root,
 * the process becomes the user of the installation: this user must be able to read the files it writes.
 * @throws Error with a sentence if two installations could be meant, or if there is no database: such a
 *   command would work on a new, empty one and report success
 */
export function installationSettings(
  given: NodeJS.ProcessEnv,
  { also = [], makesDatabase = false, machineFile = systemFile }: Choice = {},
): NodeJS.ProcessEnv {
  const named = ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR'].some((name) => isGiven(given, name));
  const file = isGiven(given, fileSetting) ? path.resolve(given[fileSetting]!) : machineFile;
  const kept = named ? null : readSettingsFile(file, { also, isNamed: isGiven(given, fileSetting) });
  if (kept !== null && !isGiven(given, fileSetting) && hasDatabase(path.resolve(usualDataFolder)))
    throw new Error(
      `Two installations could be meant: that of ${file}, and the database in ${path.resolve(usualDataFolder)}. ${remedy}`,
    );
  const settings = kept === null ? given : { ...withoutGiven(kept, given), ...given };
  const dataFolder = path.resolve(settings['DATA_DIR'] ?? usualDataFolder);
  const isEmbedded = !['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => isGiven(settings, name));
  if (isEmbedded && !makesDatabase && !hasDatabase(dataFolder))
    throw new Error(`There is no database in ${dataFolder}, and this command makes none. ${remedy}`);
  if (kept !== null) becomeOwnerOf(dataFolder);
  return settings;
}

const isGiven = (settings: NodeJS.ProcessEnv, name: string): boolean => (settings[name] ?? '') !== '';

/** Null if this machine has no such file. */
function readSettingsFile(
  file: string,
  { also, isNamed }: { also: readonly string[]; isNamed: boolean },
): NodeJS.ProcessEnv | null {
  const text = textOf(file);
  if (text === null && !isNamed) return null;
  if (text === null) throw new Error(`${fileSetting}: there is no ${file}.`);
  const folder = path.dirname(file);
  const more = also.map((name) => parseEnv(textOf(path.join(folder, name)) ?? ''));
  return Object.assign(
    { ...unitSettings },
    readSecrets(path.join(folder, 'secrets')),
    parseEnv(text),
    ...more,
  );
}

/** The name of the file that has a secret setting: `database-url` for `DATABASE_URL`. */
export const secretFile = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** The files that systemd passes to the units. */
function readSecrets(folder: string): NodeJS.ProcessEnv {
  const found = settingNames.flatMap((name) => {
    const text = textOf(path.join(folder, secretFile(name)));
    return text === null ? [] : [[name, text.replace(/\r?\n$/, '')] as const];
  });
  return Object.fromEntries(found);
}

/** The command's own settings, given as a value or as a file, replace those of the settings file. */
const withoutGiven = (kept: NodeJS.ProcessEnv, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(kept).filter(([name]) => {
      const plain = name.replace(/_FILE$/, '');
      return !isGiven(given, plain) && !isGiven(given, `${plain}_FILE`);
    }),
  );

/** Null for none. */
function textOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'EACCES')
      throw new Error(`${file} cannot be read: run this command as root.`, { cause: error });
    throw error;
  }
}

function becomeOwnerOf(dataFolder: string): void {
  if (process.getuid?.() !== 0 || !fs.existsSync(dataFolder)) return;
  const { uid, gid } = fs.statSync(dataFolder);
  if (uid === 0) return;
  process.setgroups!([gid]);
  process.setgid!(gid);
  process.setuid!(uid);
}
