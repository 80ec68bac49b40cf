// Backs up an installation while it runs: npm run backup -- --to /srv/backups (or s3://bucket/prefix)
import { parseArgs } from 'node:util';
import { backUp } from '../server/platform/backup/backup.ts';
import { openDestination } from '../server/platform/backup/destination.ts';
import { readEnv } from '../server/platform/env.ts';
import { installationSettings } from './installation.ts';

const usage = `Backs up database, pictures and settings, even while the server runs.
  npm run backup -- --to /srv/backups
  npm run backup -- --to s3://bucket/prefix
Without --to it goes to BACKUP_TO. BACKUP_KEY encrypts it. --json prints its description.`;

try {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const settings = installationSettings(process.env, { also: ['backup.env'] });
  const env = readEnv(settings);
  for (const warning of env.warnings) console.error(warning);
  const target = values.to ?? env.BACKUP_TO;
  if (target === undefined) throw new TypeError(usage);
  if (env.BACKUP_KEY === undefined)
    console.error(
      'BACKUP_KEY is not set: the backup is not encrypted, and contains only the names of the settings.',
    );
  const note = await backUp(env, openDestination(target, env), settings);
  if (values.json) console.log(JSON.stringify(note));
  else {
    const megabytes = (note.bytes / 1_000_000).toFixed(1);
    const seconds = ((Date.parse(note.at) - Date.parse(note.beganAt)) / 1000).toFixed(1);
    console.log(
      `Backed up: ${note.archive} in ${target}, ${note.files} files, ${megabytes} MB, ${seconds} s.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
