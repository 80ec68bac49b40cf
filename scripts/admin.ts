import { parseArgs } from 'node:util';
import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { staff } from '../server/features/identity/queries.ts';
import { giveRoleByEmail, resetFactors } from '../server/features/identity/service.ts';
import { databaseOf, type Db } from '../server/platform/database/db.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { readEnv } from '../server/platform/env.ts';
import { Refusal } from '../server/platform/refusal.ts';
import { keysUsage, manageKeys } from './admin/keys.ts';
import { manageWebhooks, webhooksUsage } from './admin/webhooks.ts';
import { announcementsUsage, runAnnouncements } from './admin/announcements.ts';
import { maintain, maintenanceUsage } from './admin/maintenance.ts';

const usage = `Gives people a role on the team, takes it away, or lists who has one.
  npm run admin -- grant you@example.com [--role ${staffRoles.join('|')}]
  npm run admin -- revoke you@example.com
  npm run admin -- roles [--json]
  npm run admin -- reset-factors you@example.com   for a person who has lost their second factor
Without --role the first person of all becomes an owner, everybody after an admin.
${maintenanceUsage}
${keysUsage}
${webhooksUsage}
${announcementsUsage}`;

if (process.argv[2] === 'maintenance') process.exit(await maintain(process.argv.slice(3)));
if (process.argv[2] === 'keys') process.exit(await manageKeys(process.argv.slice(3)));
if (process.argv[2] === 'webhooks') process.exit(await manageWebhooks(process.argv.slice(3)));
if (process.argv[2] === 'announcements') process.exit(await runAnnouncements(process.argv.slice(3)));

function misused(): never {
  console.error(usage);
  process.exit(2);
}

interface Command {
  verb: string;
  email: string;
  role: StaffRole | undefined;
  json: boolean;
}

function readCommand(): Command {
  const options = { role: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [verb = '', email = '', ...rest] = positionals;
    const role = staffRoles.find((each) => each === values.role);
    const isList = verb === 'roles';
    if (!['grant', 'revoke', 'roles', 'reset-factors'].includes(verb) || rest.length > 0) misused();
    if ((email === '') !== isList || (values.json && !isList)) misused();
    if (values.role !== undefined && (role === undefined || verb !== 'grant')) misused();
    return { verb, email, role, json: values.json };
  } catch {
    misused();
  }
}

async function list(db: Db, json: boolean): Promise<void> {
  const people = await staff(db);
  if (json) console.log(JSON.stringify(people));
  else for (const { role, email, name } of people) console.log(`${role.padEnd(10)} ${email}  (${name})`);
  if (!json && people.length === 0) console.log('No person has a role yet.');
}

async function change(db: Db, { verb, email, role }: Command): Promise<void> {
  const to = verb === 'grant' ? role : null;
  try {
    const given = await giveRoleByEmail(db, { email, role: to }, new Date());
    console.log(given === null ? `${email} has no role any more.` : `${email} is now: ${given}.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const words: Record<string, string> = {
      'admin.userNotFound': `There is no account with the email ${email}. Sign up in the app first.`,
      'admin.movedOn': `${email} has that role already${verb === 'revoke' ? ': none' : ''}.`,
    };
    console.error(words[error.reason] ?? error.message);
    process.exitCode = 1;
  }
}

async function reset(db: Db, email: string): Promise<void> {
  const removed = await resetFactors(db, email, new Date());
  if (removed === null) console.error(`There is no account with the email ${email}.`);
  else console.log(`${email} has no second factor any more; there were ${removed}. An email tells them.`);
  if (removed === null) process.exitCode = 1;
}

const command = readCommand();
const database = await openDatabase(readEnv(), { onError: (error) => console.error(error.message) });
try {
  const db = databaseOf(database.pool);
  if (command.verb === 'roles') await list(db, command.json);
  else if (command.verb === 'reset-factors') await reset(db, command.email);
  else await change(db, command);
} finally {
  await database.close();
}
