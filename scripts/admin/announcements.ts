import { announce as announceCall, type Announcement } from '#contract/announcements/endpoints.ts';
import {
  announce,
  endAnnouncement,
  latestAnnouncements,
} from '../../server/features/moderation/announcements/announce.ts';
import { checked, idOf, misuse, readWords, type AdminCommand, type Outcome } from './run-command.ts';

const usage = `Tells people something in the app, for a time.
  npm run admin -- announcements [--json]   lists the latest
  npm run admin -- announcements make --until 2026-12-01T18:00Z --title-en TITLE --text-en TEXT --title-zh TITLE --text-zh TEXT
                   [--from 2026-11-30T08:00Z] [--community example.edu] [--json]
  npm run admin -- announcements end ID [--json]`;

export const announcements: AdminCommand = {
  usage,
  read(args) {
    const names = ['from', 'until', 'title-en', 'title-zh', 'text-en', 'text-zh', 'community'] as const;
    const { words, given, json } = readWords(args, { most: 2, names });
    const [verb = 'list', target = ''] = words;
    if (verb === 'make' && target === '') {
      const input = checked(announceCall.input, {
        title: { en: given['title-en'] ?? '', zh: given['title-zh'] ?? '' },
        text: { en: given['text-en'] ?? '', zh: given['text-zh'] ?? '' },
        fromAt: given.from === undefined ? null : instantOf(given.from),
        untilAt: instantOf(given.until ?? ''),
        community: given.community ?? '',
      });
      return {
        json,
        run: async ({ db, now }) =>
          shown([await db.transaction((tx) => announce(tx, { adminId: null, now }, input))]),
      };
    }
    if (Object.keys(given).length > 0) misuse();
    if (verb === 'list' && target === '')
      return { json, run: async ({ db, now }) => shown(await latestAnnouncements(db, now)) };
    if (verb !== 'end') misuse();
    const id = idOf(target);
    return {
      json,
      run: async ({ db, now }) =>
        shown([await db.transaction((tx) => endAnnouncement(tx, { adminId: null, now }, id))]),
    };
  },
};

/** The instant in the contract's form; what is none stays, for the schema to name. */
const instantOf = (text: string): string => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

const shown = (all: Announcement[]): Outcome => ({
  text: all.length === 0 ? 'Nothing has been announced.' : all.map(lineOf).join('\n'),
  json: all,
});

const lineOf = ({ id, state, fromAt, untilAt, community, title }: Announcement): string =>
  `${id}  ${state.padEnd(7)} ${fromAt} – ${untilAt}  ${community === '' ? 'everyone' : community}  ${title.en}`;
