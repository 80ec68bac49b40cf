// Restores a backup into an empty installation: npm run restore -- /srv/backups --at 2026-11-24T20:15:00Z
import { parseArgs } from 'node:util';
import { openDestination } from '../server/platform/backup/destination.ts';
import { restore } from '../server/platform/backup/restore.ts';
import { readEnv } from '../server/platform/env.ts';
import { installationSettings } from './installation.ts';

const usage = `Restores a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL.
  npm run restore -- FROM [--at 2026-11-24T20:15:00Z] [--rest-of OLD-DATA-DIR] [--unsealed] [--json]
FROM is the folder or s3:// address of the backups. --at restores the state as of a moment. --rest-of adds
the last changes of a lost embedded database, if its DATA_DIR can still be read. With BACKUP_KEY, only what
was encrypted with it is restored; --unsealed also takes other backups, which anyone who can write to FROM
may have made.`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      at: { type: 'string' },
      'rest-of': { type: 'string' },
      unsealed: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [from, ...more] = positionals;
  if (from === undefined || more.length > 0) throw new TypeError(usage);
  const at = values.at === undefined ? undefined : new Date(values.at);
  if (at !== undefined && Number.isNaN(at.getTime()))
    throw new TypeError(`--at: expected a moment, as in 2026-11-24T20:15:00Z\n${usage}`);
  const env = readEnv(installationSettings(process.env, { makesDatabase: true }));
  for (const warning of env.warnings) console.error(warning);
  const beganMs = Date.now();
  const { note, pieces, lastChangeAt } = await restore(env, openDestination(from, env), {
    at,
    restOf: values['rest-of'],
    takesUnsealed: values.unsealed,
    say: (sentence) => console.error(sentence),
  });
  const seconds = (Date.now() - beganMs) / 1000;
  if (values.json) console.log(JSON.stringify({ ...note, pieces, lastChangeAt, seconds }));
  else
    console.log(
      `Restored ${note.archive} (Sameway ${note.release}) into ${env.DATABASE_URL === undefined ? env.DATA_DIR : 'the database'} in ${seconds.toFixed(1)} s${lastChangeAt === null ? '' : `; its last change is from ${lastChangeAt.toISOString()}`}. Start the server as usual.`,
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
