import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import { mayChangeRole } from '#contract/admin/roles.ts';
import {
  mostGroupRoles,
  type GroupRole,
  type mapGroup as call,
  type readDirectory,
} from '#contract/connect/directory.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { RoleGiver } from '../../identity/service.ts';
import { followGroups } from './follow-groups.ts';
import * as store from './store.ts';
import { scimPath } from './view.ts';

/**
 * Gives the members of a group a role, or none (null): known members at once, others at their next sign-in.
 * Refuses `admin.roleTooHigh`, `directory.tooMany`.
 * @param by null for the command line
 */
export async function mapGroup(
  app: CommandPlatform,
  by: RoleGiver,
  { group, role }: z.output<typeof call.input>,
): Promise<GroupRole[]> {
  const { transact, clock, audit, db } = app;
  await transact('map group', async (tx) => {
    const roles = await store.holdGroupRoles(tx);
    const before = roles.find(({ groupName }) => groupName.toLowerCase() === group.toLowerCase()) ?? null;
    if (by !== null && !mayChangeRole(by.role, { from: before?.role ?? null, to: role }))
      throw new Refusal('admin.roleTooHigh', 'Only an owner can give or take this role.', { code: 403 });
    if (before === null && roles.length >= mostGroupRoles)
      throw new Refusal('directory.tooMany', `Up to ${mostGroupRoles} groups can have a role.`, {
        code: 409,
      });
    const row = { id: before?.id ?? randomUUID(), groupName: group, createdAt: clock.now() };
    await store.setGroupRole(tx, row, role);
    const note = `${group}: ${role ?? '–'}`;
    await audit.note(tx, {
      adminId: by?.id ?? null,
      personId: null,
      action: 'group.mapped',
      thingId: row.id,
      note,
    });
  });
  // One by one: each of them briefly locks the people who may change roles.
  for (const userId of await store.peopleInGroup(db, group))
    await transact('follow groups of a person', (tx, afterCommit) =>
      followGroups(app, tx, userId, afterCommit),
    );
  return viewRoles(await store.allGroupRoles(db));
}

export const viewRoles = (rows: readonly store.GroupRoleRow[]): GroupRole[] =>
  rows.map(({ groupName, role }) => ({ group: groupName, role }));

/** The people, the groups and the roles of groups. */
export async function shownDirectory({
  db,
  env,
}: Pick<CommandPlatform, 'db' | 'env'>): Promise<OutputOf<typeof readDirectory>> {
  const [figures, roles] = await Promise.all([store.figures(db), store.allGroupRoles(db)]);
  return { scimUrl: `${env.publicUrl}${scimPath}`, ...figures, roles: viewRoles(roles) };
}
