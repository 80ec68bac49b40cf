/** `npm run admin -- COMMAND …`: what an operator does on the database of this installation. */
import { announcements } from './admin/announcements.ts';
import { keys } from './admin/keys.ts';
import { maintenance } from './admin/maintenance.ts';
import { roleCommands } from './admin/roles.ts';
import { runCommand, type AdminCommand } from './admin/run-command.ts';
import { serverKeys } from './admin/server-keys.ts';
import { tickets } from './admin/tickets.ts';
import { webhooks } from './admin/webhooks.ts';

const commands = new Map<string, AdminCommand>(
  Object.entries({ ...roleCommands, maintenance, keys, webhooks, announcements, tickets, ...serverKeys }),
);

const [name = '', ...args] = process.argv.slice(2);
const command = commands.get(name);
if (command === undefined)
  console.error([...new Set([...commands.values()].map(({ usage }) => usage))].join('\n'));
process.exitCode = command === undefined ? 2 : await runCommand(command, args);
