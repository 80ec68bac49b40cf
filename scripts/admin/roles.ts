import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { staff } from '../../server/features/identity/queries.ts';
import { giveRoleByEmail, resetFactors } from '../../server/features/identity/service.ts';
import type { Db } from '../../server/platform/database/db.ts';
import { notFound, Refusal } from '../../server/platform/refusal.ts';
import { misuse, readWords, type AdminCommand, type Outcome } from './run-command.ts';

const usage = `Gives people a role on the team, takes it away, or lists who has one.
  npm run admin -- grant you@example.com [--role ${staffRoles.join('|')}] [--json]
  npm run admin -- revoke you@example.com [--json]
  npm run admin -- roles [--json]
  npm run admin -- reset-factors you@example.com [--json]   for a person who has lost their second factor
Without --role the first person of all becomes an owner, everybody after an admin.`;

const grant: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 1, names: ['role'] });
    const email = words[0] ?? misuse();
    const role = staffRoles.find((each) => each === given.role);
    if (given.role !== undefined && role === undefined) misuse();
    return { json, run: ({ db, now }) => give(db, { email, role }, now) };
  },
};

const revoke: AdminCommand = {
  usage,
  read(args) {
    const { words, json } = readWords(args, { most: 1 });
    const email = words[0] ?? misuse();
    return { json, run: ({ db, now }) => give(db, { email, role: null }, now) };
  },
};

/** @param role undefined for the usual one, null for none. */
async function give(
  db: Db,
  given: { email: string; role: StaffRole | null | undefined },
  now: Date,
): Promise<Outcome> {
  const { email } = given;
  const role = await giveRoleByEmail(db, given, now).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const sentences: Record<string, string> = {
      'admin.userNotFound': `There is no account with the email ${email}. Sign up in the app first.`,
      'admin.movedOn': `${email} has that role already${given.role === null ? ': none' : ''}.`,
    };
    throw new Refusal(error.reason, sentences[error.reason] ?? error.message);
  });
  return {
    text: role === null ? `${email} has no role any more.` : `${email} is now: ${role}.`,
    json: { email, role },
  };
}

const roles: AdminCommand = {
  usage,
  read(args) {
    const { json } = readWords(args, { most: 0 });
    return { json, run: ({ db }) => list(db) };
  },
};

async function list(db: Db): Promise<Outcome> {
  const people = await staff(db);
  const lines = people.map(({ role, email, name }) => `${role.padEnd(10)} ${email}  (${name})`);
  return { text: lines.length === 0 ? 'No person has a role yet.' : lines.join('\n'), json: people };
}

const resetFactorsCommand: AdminCommand = {
  usage,
  read(args) {
    const { words, json } = readWords(args, { most: 1 });
    const email = words[0] ?? misuse();
    return { json, run: ({ db, now }) => reset(db, email, now) };
  },
};

async function reset(db: Db, email: string, now: Date): Promise<Outcome> {
  const removed = await resetFactors(db, email, now);
  if (removed === null) throw notFound('admin.userNotFound', `There is no account with the email ${email}.`);
  return {
    text: `${email} has no second factor any more; there were ${removed}. An email tells them.`,
    json: { email, removed },
  };
}

export const roleCommands = { grant, revoke, roles, 'reset-factors': resetFactorsCommand };
