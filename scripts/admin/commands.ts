import { announcements } from './announcements.ts';
import { answers } from './answers.ts';
import { deliveryCommands } from './deliveries.ts';
import { groups } from './groups.ts';
import { keys } from './keys.ts';
import { logCommands } from './log.ts';
import { maintenance } from './maintenance.ts';
import { moneyCommands } from './money.ts';
import { roleCommands } from './roles.ts';
import { runCommand, type AdminCommand, type Surroundings } from './run-command.ts';
import { serverKeys } from './server-keys.ts';
import { tickets } from './tickets.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

const commands = new Map<string, AdminCommand>(
  Object.entries({
    ...roleCommands,
    users,
    tickets,
    answers,
    announcements,
    maintenance,
    ...deliveryCommands,
    ...moneyCommands,
    keys,
    webhooks,
    groups,
    ...serverKeys,
    ...logCommands,
  }),
);

/** Runs the command that the first word names with the others; without one, says how each is typed. */
export async function runAdmin(
  [name = '', ...args]: string[],
  around: Surroundings = { out: console, settings: process.env },
): Promise<0 | 1 | 2> {
  const command = commands.get(name);
  if (command !== undefined) return runCommand(command, args, around);
  around.out.error([...new Set([...commands.values()].map(({ usage }) => usage))].join('\n'));
  return 2;
}
