import { listUsers, suspendUser } from '#contract/admin/endpoints.ts';
import type { StaffRole } from '#contract/admin/roles.ts';
import { accountPage, type UserRow } from '../../server/features/identity/queries.ts';
import { setSuspendedByEmail } from '../../server/features/moderation/admin/suspend-user.ts';
import { commandPlatform } from '../../server/platform/command-platform.ts';
import { linesOf, pageNames, pageOf } from './pages.ts';
import { checked, misuse, readWords, type AdminCommand, type Outcome, type Place } from './run-command.ts';

const usage = `Finds people, suspends them and lets them back in.
  npm run admin -- users find [TEXT] [--only all|suspended|admins] [--size 30] [--offset 0] [--json]
  npm run admin -- users suspend you@example.com --reason TEXT [--json]   signs out, cancels open rides, sends an email
  npm run admin -- users restore you@example.com [--reason TEXT] [--json]
TEXT is a part of a name, an email address or a phone number; admins are all people on the team.`;

interface ToldUser {
  id: string;
  email: string;
  name: string;
  phone: string;
  role: StaffRole | null;
  createdAt: string;
  suspendedAt: string | null;
  suspendedReason: string;
}

export const users: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names: [...pageNames, 'only', 'reason'] });
    const [verb = 'find', target = ''] = words;
    const { only, reason, ...page } = given;
    if (verb === 'find') {
      if (reason !== undefined) misuse();
      const asked = checked(listUsers.input, { text: target, only, ...pageOf(page) });
      return { json, run: ({ db }) => find(db, asked) };
    }
    if ((verb !== 'suspend' && verb !== 'restore') || target === '' || only !== undefined) misuse();
    if (Object.keys(page).length > 0) misuse();
    const suspended = verb === 'suspend';
    const asked = checked(suspendUser.input.pick({ reason: true }), { reason: reason ?? '' });
    return { json, run: (place) => setSuspended(place, { email: target, suspended, ...asked }) };
  },
};

async function find(db: Place['db'], asked: Parameters<typeof accountPage>[1]): Promise<Outcome> {
  const { rows, total } = await accountPage(db, asked);
  const told = rows.map(toldUser);
  const lines = told.map(({ email, name, role, suspendedAt, suspendedReason }) =>
    [
      email.padEnd(30),
      name,
      ...(role === null ? [] : [`(${role})`]),
      ...(suspendedAt === null ? [] : [`suspended ${suspendedAt}: ${suspendedReason}`]),
    ].join('  '),
  );
  return {
    text: linesOf(lines, { none: 'No one is found.', total, offset: asked.offset }),
    json: { users: told, total },
  };
}

async function setSuspended(
  place: Place,
  asked: Parameters<typeof setSuspendedByEmail>[1],
): Promise<Outcome> {
  const row = await setSuspendedByEmail(commandPlatform(place), asked);
  return {
    text: asked.suspended
      ? `${row.email} is suspended, and gets an email with the reason.`
      : `${row.email} can sign in again.`,
    json: toldUser(row),
  };
}

const toldUser = (row: UserRow): ToldUser => ({
  id: row.id,
  email: row.email,
  name: row.name,
  phone: row.phone,
  role: row.staffRole,
  createdAt: row.createdAt.toISOString(),
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
  suspendedReason: row.suspendedReason,
});
