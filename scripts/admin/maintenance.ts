import { z } from 'zod';
import {
  beginMaintenance,
  endMaintenance,
  longestMaintenanceMessage,
  readMaintenance,
} from '../../server/platform/maintenance.ts';
import type { Db } from '../../server/platform/database/db.ts';
import { noteDeed } from '../../server/platform/security/audit-log.ts';
import { checked, misuse, readWords, type AdminCommand, type Outcome } from './run-command.ts';

const usage = `Keeps people out while you work, all processes within seconds; admins go on.
  npm run admin -- maintenance on [--message 'Back at 3 PM.'] [--json]
  npm run admin -- maintenance off [--json]
  npm run admin -- maintenance [--json]   says whether it is on`;

const input = z.object({ message: z.string().trim().max(longestMaintenanceMessage) });

export const maintenance: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 1, names: ['message'] });
    const [verb = 'show'] = words;
    if (verb !== 'on' && given.message !== undefined) misuse();
    if (verb === 'show') return { json, run: ({ db }) => show(db) };
    if (verb === 'off') return { json, run: ({ db, now }) => end(db, now) };
    if (verb !== 'on') misuse();
    const { message } = checked(input, { message: given.message ?? '' });
    return { json, run: ({ db, now }) => begin(db, message, now) };
  },
};

const deed = { adminId: null, personId: null };

async function begin(db: Db, message: string, now: Date): Promise<Outcome> {
  await db.transaction(async (tx) => {
    await beginMaintenance(tx, message, now);
    await noteDeed(tx, { ...deed, action: 'maintenance.begun', note: message }, now);
  });
  return show(db);
}

async function end(db: Db, now: Date): Promise<Outcome> {
  await db.transaction(async (tx) => {
    if (await endMaintenance(tx)) await noteDeed(tx, { ...deed, action: 'maintenance.ended' }, now);
  });
  return show(db);
}

async function show(db: Db): Promise<Outcome> {
  const state = await readMaintenance(db);
  if (state === null) return { text: 'Sameway is open to people.', json: state };
  const read = state.message === '' ? '.' : `, and read: ${state.message}`;
  return { text: `People are kept out since ${state.sinceAt}${read}`, json: state };
}
