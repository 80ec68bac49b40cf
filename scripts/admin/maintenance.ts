import { parseArgs } from 'node:util';
import {
  beginMaintenance,
  endMaintenance,
  longestMaintenanceMessage,
  readMaintenance,
} from '../../server/platform/maintenance.ts';
import { databaseOf, type Db } from '../../server/platform/database/db.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { readEnv } from '../../server/platform/env.ts';
import { noteDeed } from '../../server/platform/security/audit-log.ts';

export const maintenanceUsage = `Keeps people out while you work, all processes within seconds; admins go on.
  npm run admin -- maintenance on [--message 'Back at 3 PM.']
  npm run admin -- maintenance off
  npm run admin -- maintenance [--json]   says whether it is on`;

interface MaintenanceCommand {
  verb: 'on' | 'off' | 'show';
  message: string;
  json: boolean;
}

/** Null where the words make no command. */
function readCommand(args: string[]): MaintenanceCommand | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { message: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const [verb = 'show', ...rest] = positionals;
    if ((verb !== 'on' && verb !== 'off' && verb !== 'show') || rest.length > 0) return null;
    const message = values.message?.trim() ?? '';
    if ((values.message !== undefined && verb !== 'on') || message.length > longestMaintenanceMessage)
      return null;
    return { verb, message, json: values.json };
  } catch {
    return null;
  }
}

/** Does what the command says, notes it in the admins' log, and says how it stands. @returns what to print */
async function change(db: Db, { verb, message, json }: MaintenanceCommand): Promise<string> {
  const at = new Date();
  const deed = { adminId: null, personId: null };
  await db.transaction(async (tx) => {
    if (verb === 'on') {
      await beginMaintenance(tx, message, at);
      await noteDeed(tx, { ...deed, action: 'maintenance.begun', note: message }, at);
    } else if (verb === 'off' && (await endMaintenance(tx)))
      await noteDeed(tx, { ...deed, action: 'maintenance.ended' }, at);
  });
  const state = await readMaintenance(db);
  if (json) return JSON.stringify(state);
  if (state === null) return 'Sameway is open to people.';
  return `People are kept out since ${state.sinceAt}${state.message === '' ? '.' : `, and read: ${state.message}`}`;
}

/** `npm run admin -- maintenance …`. @returns how the process ends */
export async function maintain(args: string[]): Promise<number> {
  const command = readCommand(args);
  if (command === null) {
    console.error(maintenanceUsage);
    return 2;
  }
  const database = await openDatabase(readEnv(), { onError: (error) => console.error(error.message) });
  try {
    console.log(await change(databaseOf(database.pool), command));
    return 0;
  } finally {
    await database.close();
  }
}
