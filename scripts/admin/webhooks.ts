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
import { noteDeed } from '../../server/platform/security/audit-log.ts';
import { createSeal } from '../../server/platform/security/seal.ts';
import { checked, idOf, listed, misuse, readWords, type AdminCommand } from './run-command.ts';
import type { Outcome, Place } from './run-command.ts';

const usage = `Tells other programs of events, signed (Standard Webhooks).
  npm run admin -- webhooks [--json]
  npm run admin -- webhooks add https://example.com/hook --name Office --events ride.published,person.joined [--json]
  npm run admin -- webhooks remove|renew-secret|test ID [--json]
Events: ${webhookEvents.join(' ')}`;

export const webhooks: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names: ['name', 'events'] });
    const [verb = 'list', target = ''] = words;
    if (verb === 'add' && target !== '') {
      const { name = '', events } = given;
      const input = checked(saveCall.input, { name, url: target, events: listed(events) });
      return {
        json,
        async run(place) {
          const { row, secret } = await saveWebhook(writerAt(place), null, input);
          const text = `${secret}\nKeep it now: it is not shown again. The webhook is ${row.id}.`;
          return { text, json: { id: row.id, secret } };
        },
      };
    }
    if (Object.keys(given).length > 0) misuse();
    if (verb === 'list' && target === '') return { json, run: list };
    const change = changes.get(verb) ?? misuse();
    const id = idOf(target);
    return { json, run: (place) => change(writerAt(place), id) };
  },
};

async function list({ db, now }: Place): Promise<Outcome> {
  const all = (await allWebhooks(db)).map((row) => viewWebhook(row, now));
  const lines = all.map(({ state, id, url, name, events }) =>
    [state.padEnd(7), id, url, `${name}:`, ...events].join(' '),
  );
  return { text: lines.length === 0 ? 'There are no webhooks.' : lines.join('\n'), json: all };
}

/** The changes of an existing webhook. */
const changes = new Map<string, (writer: WebhookWriter, id: string) => Promise<Outcome>>([
  [
    'remove',
    async (writer, id) => {
      await removeWebhook(writer, null, id);
      return { text: `The webhook ${id} is removed.`, json: { id } };
    },
  ],
  [
    'renew-secret',
    async (writer, id) => {
      const { secret } = await renewSecret(writer, null, id);
      return { text: `${secret}\nThe former secret signs as well for a day.`, json: { id, secret } };
    },
  ],
  [
    'test',
    async (writer, id) => {
      await sendTest(writer, id);
      return { text: 'A running server sends the test.', json: { id } };
    },
  ],
]);

/** The server's services for it, where no server is running. */
const writerAt = ({ db, env, now }: Place): WebhookWriter => ({
  env,
  clock: { now: () => now },
  seal: createSeal(db, env.SEAL_KEYS),
  transact: (_name, work) => db.transaction((tx) => work(tx, () => {})),
  audit: { note: (tx, deed) => noteDeed(tx, deed, now) },
});
