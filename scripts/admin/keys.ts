import { parseArgs } from 'node:util';
import { z } from 'zod';
import { makeKey as makeCall } from '#contract/connect/keys.ts';
import { scopes } from '#contract/connect/scopes.ts';
import { keyHolder, makeKey, revokeKey, shownKeys } from '../../server/features/connect/service.ts';
import { databaseOf, type Db } from '../../server/platform/database/db.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { readEnv } from '../../server/platform/env.ts';
import { Refusal } from '../../server/platform/refusal.ts';

export const keysUsage = `Makes API keys for programs, lists and revokes them.
  npm run admin -- keys [--json]
  npm run admin -- keys make you@example.com --name 'Reports' --scopes figures.read,rides:read
      [--days 90|never] [--calls-per-minute 120] [--json]
  npm run admin -- keys revoke ID [--json]
A key acts for that person, within the scopes and within their role. Scopes:
  ${scopes.join(' ')}`;

type KeysCommand =
  | { verb: 'list' }
  | { verb: 'revoke'; id: string }
  | { verb: 'make'; email: string; input: z.output<typeof makeCall.input> };

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  days: { type: 'string' },
  'calls-per-minute': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** @throws Error with what is wrong, or empty where the words make no command */
function readCommand(args: string[]): { command: KeysCommand; json: boolean } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [verb = 'list', target = '', ...rest] = positionals;
  const { json, ...given } = values;
  const isMade = verb === 'make';
  if (rest.length > 0 || (!isMade && Object.keys(given).length > 0)) throw new Error('');
  if (verb === 'list' && target === '') return { command: { verb }, json };
  if (verb === 'revoke' && z.uuid().safeParse(target).success) return { command: { verb, id: target }, json };
  if (!isMade || target === '') throw new Error('');
  const { days, 'calls-per-minute': calls } = given;
  const parsed = makeCall.input.safeParse({
    name: given.name ?? '',
    scopes: (given.scopes ?? '').split(',').filter((each) => each !== ''),
    ...(days === undefined ? {} : { days: days === 'never' ? null : Number(days) }),
    ...(calls === undefined ? {} : { callsPerMinute: Number(calls) }),
  });
  if (!parsed.success)
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  return { command: { verb, email: target, input: parsed.data }, json };
}

/** @returns what to print */
async function run(db: Db, command: KeysCommand, json: boolean): Promise<string> {
  const now = new Date();
  if (command.verb === 'list') {
    const keys = await shownKeys(db, now);
    if (json) return JSON.stringify(keys);
    const lines = keys.map(
      (key) =>
        `${key.state.padEnd(8)} ${key.id}  ${key.shown}  ${key.email}  ${key.name}: ${key.scopes.join(' ')}`,
    );
    return lines.length === 0 ? 'There are no API keys.' : lines.join('\n');
  }
  if (command.verb === 'revoke') {
    const { id } = command;
    const { revokedAt } = await db.transaction((tx) => revokeKey(tx, { id, adminId: null }, now));
    return json ? JSON.stringify({ id, revokedAt }) : `The key ${id} is revoked.`;
  }
  const userId = await keyHolder(db, command.email);
  const { row, secret } = await db.transaction((tx) =>
    makeKey(tx, { userId, adminId: null }, command.input, now),
  );
  const { id, name, scopes: given, expiresAt } = row;
  if (json) return JSON.stringify({ id, name, scopes: given, expiresAt, secret });
  return `${secret}\nKeep it now: it is not shown again. It acts for ${command.email}: ${given.join(' ')}`;
}

/** `npm run admin -- keys …`. @returns how the process ends */
export async function manageKeys(args: string[]): Promise<number> {
  let read: ReturnType<typeof readCommand>;
  try {
    read = readCommand(args);
  } catch (error) {
    const trouble = error instanceof Error && !('code' in error) ? error.message : '';
    console.error(trouble === '' ? keysUsage : trouble);
    return 2;
  }
  const database = await openDatabase(readEnv(), { onError: (error) => console.error(error.message) });
  try {
    console.log(await run(databaseOf(database.pool), read.command, read.json));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await database.close();
  }
}
