import type { JobCounts, ListenerLag } from '#contract/admin/operations.ts';
import { deliverAgain, viewFailedDelivery } from '../../server/features/notifications/deliver-again.ts';
import { queueOf } from '../../server/features/operations/admin.ts';
import { commandPlatform } from '../../server/platform/command-platform.ts';
import { failedDeliveryPage } from '../../server/platform/events/failed-deliveries.ts';
import { linesOf, pageNames, pageOf, type Page } from './pages.ts';
import { idOf, misuse, readWords, type AdminCommand, type Outcome, type Place } from './run-command.ts';

const usage = `What waits to be delivered: emails, texts, pushes, and signals that a listener hears late.
  npm run admin -- jobs [--json]        by task: waiting, retrying, failed
  npm run admin -- listeners [--json]   how far each listener of the event log is behind
  npm run admin -- deliveries [list] [--size 30] [--offset 0] [--json]   those that failed for good
  npm run admin -- deliveries again|drop ID [--json]
A listener that a later release has no more stays in the list, further behind each day: it holds up nothing.`;

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

const jobs: AdminCommand = {
  usage,
  read: (args) => ({
    json: readWords(args, { most: 0 }).json,
    run: async (place) => shownJobs((await queue(place)).jobs),
  }),
};

const listeners: AdminCommand = {
  usage,
  read: (args) => ({
    json: readWords(args, { most: 0 }).json,
    run: async (place) => shownListeners((await queue(place)).listeners),
  }),
};

const queue = ({ db, now }: Place) => queueOf({ db, clock: { now: () => now } }, null);

const shownJobs = (all: JobCounts[]): Outcome => ({
  text: all
    .map(({ task, waiting, retrying, failed, oldestMs, lastError }) =>
      [
        task.padEnd(8),
        `waiting ${waiting}`.padEnd(14),
        `retrying ${retrying}`.padEnd(15),
        `failed ${failed}`.padEnd(13),
        oldestMs === null ? '' : `oldest ${seconds(oldestMs)}`,
        lastError ?? '',
      ]
        .join(' ')
        .trimEnd(),
    )
    .join('\n'),
  json: all,
});

const shownListeners = (all: ListenerLag[]): Outcome => ({
  text:
    all.length === 0
      ? 'No listener has begun yet.'
      : all
          .map(
            ({ listener, unheard, lagMs }) => `${listener.padEnd(30)} ${unheard} behind, ${seconds(lagMs)}`,
          )
          .join('\n'),
  json: all,
});

const deliveries: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names: pageNames });
    const [verb = 'list', target = ''] = words;
    if (verb === 'list' && target === '') {
      const page = pageOf(given);
      return { json, run: (place) => list(place, page) };
    }
    if (Object.keys(given).length > 0 || (verb !== 'again' && verb !== 'drop')) misuse();
    const id = idOf(target);
    return { json, run: (place) => handle(place, { id, drop: verb === 'drop' }) };
  },
};

async function list({ db }: Place, page: Page): Promise<Outcome> {
  const { rows, total } = await failedDeliveryPage(db, page);
  const all = rows.map(viewFailedDelivery);
  const lines = all.map(
    ({ id, at, task, to, what, error }) => `${id}  ${at}  ${task.padEnd(7)} ${to}  ${what}: ${error}`,
  );
  return {
    text: linesOf(lines, { none: 'Everything has been delivered.', total, offset: page.offset }),
    json: { undelivered: all, total },
  };
}

async function handle(place: Place, asked: { id: string; drop: boolean }): Promise<Outcome> {
  await deliverAgain(commandPlatform(place), null, asked);
  return {
    text: asked.drop ? 'It is discarded.' : 'A running server sends it again.',
    json: asked,
  };
}

export const deliveryCommands = { jobs, listeners, deliveries };
