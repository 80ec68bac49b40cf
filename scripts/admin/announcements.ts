import { parseArgs } from 'node:util';
import { announce as announceCall, type Announcement } from '#contract/announcements/endpoints.ts';
import {
  announce,
  endAnnouncement,
  latestAnnouncements,
} from '../../server/features/moderation/announcements/service.ts';
import { databaseOf, type Db } from '../../server/platform/database/db.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { readEnv } from '../../server/platform/env.ts';
import { Refusal } from '../../server/platform/refusal.ts';

export const announcementsUsage = `Tells people something in the app, for a time.
  npm run admin -- announcements [--json]   lists the latest
  npm run admin -- announcements make --until 2026-12-01T18:00Z --title-en TITLE --text-en TEXT --title-zh TITLE --text-zh TEXT
                   [--from 2026-11-30T08:00Z] [--community example.edu] [--json]
  npm run admin -- announcements end ID [--json]`;

const options = {
  json: { type: 'boolean', default: false },
  from: { type: 'string' },
  until: { type: 'string' },
  'title-en': { type: 'string' },
  'title-zh': { type: 'string' },
  'text-en': { type: 'string' },
  'text-zh': { type: 'string' },
  community: { type: 'string' },
} as const;

type Command = (db: Db, now: Date) => Promise<Announcement[]>;

const instantOf = (text: string): string => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

/** What the words ask for; null where they make no command. @throws Error that says what is wrong in it */
function readCommand(args: string[]): { run: Command; json: boolean } | null {
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch {
    return null;
  }
  const { values, positionals } = parsed;
  const [verb = 'list', id = '', ...rest] = positionals;
  const { json } = values;
  if (rest.length > 0) return null;
  if (verb === 'list' && id === '') return { json, run: latestAnnouncements };
  if (verb === 'end' && id !== '')
    return { json, run: async (db, now) => [await endAnnouncement(db, { adminId: null, now }, id)] };
  if (verb !== 'make' || id !== '') return null;
  const read = announceCall.input.safeParse({
    title: { en: values['title-en'] ?? '', zh: values['title-zh'] ?? '' },
    text: { en: values['text-en'] ?? '', zh: values['text-zh'] ?? '' },
    fromAt: values.from === undefined ? null : instantOf(values.from),
    untilAt: instantOf(values.until ?? ''),
    community: values.community ?? '',
  });
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(wrong.join('\n'));
  }
  return { json, run: async (db, now) => [await announce(db, { adminId: null, now }, read.data)] };
}

const lineOf = ({ id, state, fromAt, untilAt, community, title }: Announcement): string =>
  `${id}  ${state.padEnd(7)} ${fromAt} – ${untilAt}  ${community === '' ? 'everyone' : community}  ${title.en}`;

/** `npm run admin -- announcements …`. @returns how the process ends */
export async function runAnnouncements(args: string[]): Promise<number> {
  let command;
  try {
    command = readCommand(args);
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  if (command === null) {
    console.error(announcementsUsage);
    return 2;
  }
  const { run, json } = command;
  const database = await openDatabase(readEnv(), { onError: (error) => console.error(error.message) });
  try {
    const shown = await databaseOf(database.pool).transaction((tx) => run(tx, new Date()));
    if (json) console.log(JSON.stringify(shown));
    else console.log(shown.length === 0 ? 'Nothing has been announced.' : shown.map(lineOf).join('\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await database.close();
  }
}
