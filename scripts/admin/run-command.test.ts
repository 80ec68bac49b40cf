import { expect, test, vi } from 'vitest';
import { announcements } from './announcements.ts';
import { answers } from './answers.ts';
import { deliveryCommands } from './deliveries.ts';
import { groups } from './groups.ts';
import { keys } from './keys.ts';
import { logCommands } from './log.ts';
import { maintenance } from './maintenance.ts';
import { moneyCommands } from './money.ts';
import { roleCommands } from './roles.ts';
import { runCommand } from './run-command.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

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
  ['jobs', deliveryCommands.jobs, ['letter']],
  ['listeners', deliveryCommands.listeners, ['--size', '3']],
  ['deliveries', deliveryCommands.deliveries, ['again']],
  ['deliveries', deliveryCommands.deliveries, ['send', nothing]],
  ['deliveries', deliveryCommands.deliveries, ['drop', nothing, '--size', '3']],
  ['holds', moneyCommands.holds, ['release', nothing]],
  ['disputes', moneyCommands.disputes, ['resolve', 'the-first']],
  ['disputes', moneyCommands.disputes, ['list', '--decision', 'No.']],
  ['disputes', moneyCommands.disputes, ['resolve', nothing, '--state', 'open']],
  ['users', users, ['suspend']],
  ['users', users, ['restore', 'a@example.com', '--only', 'suspended']],
  ['users', users, ['find', 'Anna', '--reason', 'Shouts.']],
  ['users', users, ['remove', 'a@example.com']],
  ['answers', answers, ['delete']],
  ['answers', answers, ['list', '--title', 'Thanks']],
  ['groups', groups, ['map', 'Helpers']],
  ['groups', groups, ['list', '--role', 'admin']],
  ['log', logCommands.log, ['all']],
  ['settings', logCommands.settings, ['PORT']],
] as const)(
  '%s: what makes no command opens no database, and says how it is typed: %#',
  async (_, command, args) => {
    const out = { log: vi.fn(), error: vi.fn() };
    expect(await runCommand(command, [...args], { out, settings: {} })).toBe(2);
    expect(out.error.mock.calls).toEqual([[command.usage]]);
  },
);
