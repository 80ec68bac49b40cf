import { parseArgs } from 'node:util';
import { z } from 'zod';
import { saveWebhook as saveCall, webhookEvents } from '#contract/connect/webhooks.ts';
import {
  allWebhooks,
  removeWebhook,
  renewSecret,
  saveWebhook,
  sendTest,
  viewWebhook,
  type WebhookWriter,
} from '../../server/features/connect/service.ts';
import { databaseOf, type Db } from '../../server/platform/database/db.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { readEnv } from '../../server/platform/env.ts';
import { Refusal } from '../../server/platform/refusal.ts';
import { noteDeed } from '../../server/platform/security/audit-log.ts';
import { createSeal } from '../../server/platform/security/seal.ts';

export const webhooksUsage = `Tells other programs of events, signed (Standard Webhooks).
  npm run admin -- webhooks [--json]
  npm run admin -- webhooks add https://example.com/hook --name Office --events ride.published,person.joined [--json]
  npm run admin -- webhooks remove|renew-secret|test ID [--json]
Events: ${webhookEvents.join(' ')}`;

type WebhooksCommand =
  | { verb: 'list' }
  | { verb: 'remove' | 'renew-secret' | 'test'; id: string }
  | { verb: 'add'; input: z.output<typeof saveCall.input> };

const options = {
  name: { type: 'string' },
  events: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** @throws Error with what is wrong, or empty where the words make no command */
function readCommand(args: string[]): { command: WebhooksCommand; json: boolean } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [verb = 'list', target = '', ...rest] = positionals;
  const { json, name, events } = values;
  const isAdded = verb === 'add';
  if (rest.length > 0 || (!isAdded && (name !== undefined || events !== undefined))) throw new Error('');
  if (verb === 'list' && target === '') return { command: { verb }, json };
  if (verb === 'remove' || verb === 'renew-secret' || verb === 'test') {
    if (!z.uuid().safeParse(target).success) throw new Error('');
    return { command: { verb, id: target }, json };
  }
  if (!isAdded || target === '') throw new Error('');
  const listed = (events ?? '').split(',').filter((each) => each !== '');
  const parsed = saveCall.input.safeParse({ name: name ?? '', url: target, events: listed });
  if (!parsed.success)
    throw new Error(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  return { command: { verb, input: parsed.data }, json };
}

/** What the server does it with, where none is running. */
const writerOn = (db: Db, env: ReturnType<typeof readEnv>): WebhookWriter => ({
  env,
  clock: { now: () => new Date() },
  seal: createSeal(db, env.SEAL_KEYS),
  transact: (work) => db.transaction((tx) => work(tx, () => {})),
  audit: { note: (tx, deed) => noteDeed(tx, deed, new Date()) },
});

/** @returns what to print */
async function run(db: Db, command: WebhooksCommand, json: boolean): Promise<string> {
  const writer = writerOn(db, readEnv());
  if (command.verb === 'list') {
    const all = (await allWebhooks(db)).map((row) => viewWebhook(row, new Date()));
    if (json) return JSON.stringify(all);
    const lines = all.map(({ state, id, url, name, events }) =>
      [state.padEnd(7), id, url, `${name}:`, ...events].join(' '),
    );
    return lines.length === 0 ? 'There are no webhooks.' : lines.join('\n');
  }
  if (command.verb === 'add') {
    const { row, secret } = await saveWebhook(writer, null, command.input);
    if (json) return JSON.stringify({ id: row.id, secret });
    return `${secret}\nKeep it now: it is not shown again. The webhook is ${row.id}.`;
  }
  const { id } = command;
  if (command.verb === 'renew-secret') {
    const { secret } = await renewSecret(writer, null, id);
    return json ? JSON.stringify({ id, secret }) : `${secret}\nThe former secret signs as well for a day.`;
  }
  if (command.verb === 'remove') await removeWebhook(writer, null, id);
  else await sendTest(writer, id);
  if (json) return JSON.stringify({ id });
  return command.verb === 'remove' ? `The webhook ${id} is removed.` : 'A running server sends the test.';
}

/** `npm run admin -- webhooks …`. @returns how the process ends */
export async function manageWebhooks(args: string[]): Promise<number> {
  let read: ReturnType<typeof readCommand>;
  try {
    read = readCommand(args);
  } catch (error) {
    const trouble = error instanceof Error && !('code' in error) ? error.message : '';
    console.error(trouble === '' ? webhooksUsage : trouble);
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
