import { afterEach, expect, test, vi } from 'vitest';
import { announcements } from './announcements.ts';
import { keys } from './keys.ts';
import { maintenance } from './maintenance.ts';
import { roleCommands } from './roles.ts';
import { runCommand } from './run-command.ts';
import { webhooks } from './webhooks.ts';

afterEach(() => vi.restoreAllMocks());

const nothing = '00000000-0000-4000-8000-000000000000';

test.each([
  ['grant', roleCommands.grant, []],
  ['grant', roleCommands.grant, ['a@example.com', '--role', 'king']],
  ['revoke', roleCommands.revoke, ['a@example.com', 'b@example.com']],
  ['roles', roleCommands.roles, ['admin']],
  ['reset-factors', roleCommands['reset-factors'], []],
  ['keys', keys, ['make']],
  ['keys', keys, ['revoke', 'the-first']],
  ['keys', keys, ['revoke', nothing, '--name', 'Report']],
  ['webhooks', webhooks, ['constructor', nothing]],
  ['webhooks', webhooks, ['remove', nothing, '--name', 'Office']],
  ['webhooks', webhooks, ['add']],
  ['announcements', announcements, ['end']],
  ['announcements', announcements, ['end', 'the-first']],
  ['announcements', announcements, ['list', '--community', 'example.edu']],
  ['maintenance', maintenance, ['off', '--message', 'Bye.']],
  ['maintenance', maintenance, ['on', '--loud']],
  ['maintenance', maintenance, ['on', 'now']],
] as const)(
  '%s: what makes no command opens no database, and says how it is typed: %#',
  async (_, command, args) => {
    const complain = vi.spyOn(console, 'error').mockReturnValue();
    expect(await runCommand(command, [...args])).toBe(2);
    expect(complain.mock.calls).toEqual([[command.usage]]);
  },
);
