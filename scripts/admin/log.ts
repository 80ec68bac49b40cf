import { emailsOf } from '../../server/features/identity/queries.ts';
import { newestDeeds } from '../../server/platform/security/audit-log.ts';
import { linesOf, pageNames, pageOf } from './pages.ts';
import { readWords, type AdminCommand, type Outcome, type Place } from './run-command.ts';

const usage = `What the team and the command line have done, the newest first; and the settings.
  npm run admin -- log [--size 30] [--offset 0] [--json]
  npm run admin -- settings [--json]   as this command gets them, each with its source; secrets are not shown`;

const log: AdminCommand = {
  usage,
  read(args) {
    const { given, json } = readWords(args, { most: 0, names: pageNames });
    const page = pageOf(given);
    return { json, run: ({ db }) => newest(db, page) };
  },
};

async function newest(db: Place['db'], page: { offset: number; size: number }): Promise<Outcome> {
  const { rows, total } = await newestDeeds(db, { ...page, viewerId: null });
  const ids = rows.flatMap(({ adminId, personId }) => [adminId, personId]).filter((id) => id !== null);
  const emails = await emailsOf(db, [...new Set(ids)]);
  const emailOf = (id: string | null): string | null => (id === null ? null : (emails.get(id) ?? null));
  const entries = rows.map(({ id, at, action, adminId, personId, note }) => ({
    id,
    at: at.toISOString(),
    action,
    admin: emailOf(adminId),
    person: emailOf(personId),
    note,
  }));
  const lines = entries.map(({ at, action, admin, person, note }) =>
    [at, action.padEnd(20), admin ?? 'command line', ...(person === null ? [] : [`→ ${person}`]), note]
      .join('  ')
      .trimEnd(),
  );
  return {
    text: linesOf(lines, { none: 'Nothing has been done yet.', total, offset: page.offset }),
    json: { entries, total },
  };
}

const settings: AdminCommand = {
  usage,
  read: (args) => ({
    json: readWords(args, { most: 0 }).json,
    run: async ({ env }) => shownSettings(env.shown),
  }),
};

const shownSettings = (all: Place['env']['shown']): Outcome => ({
  text: all
    .map(({ name, value, isSecret, source }) => {
      const words = value ?? (isSecret && source !== 'default' ? '(secret)' : '(not set)');
      return `${name.padEnd(28)} ${source.padEnd(12)} ${words}`;
    })
    .join('\n'),
  json: all,
});

export const logCommands = { log, settings };
