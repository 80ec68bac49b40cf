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
import type { App } from '../../../app-type.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { accountBehindKey } from '../../identity/queries.ts';
import { changeRole, type RoleGiver } from '../../identity/service.ts';
import type { AfterCommit } from './require-right.ts';
import { nextRole, roleOfGroups } from './rules/role-of-groups.ts';
import * as store from './store.ts';
import { scimPath } from './view.ts';

/** The most groups of a provider that are considered. */
const mostGroups = 500;

/**
 * Gives a person the role of their groups, in the caller's transaction, which must not have locked a person
 * yet: the people who may change roles are locked first. Owners keep their role, and so do people who got one
 * by hand.
 */
export async function followGroups(
  app: CommandPlatform,
  tx: Db,
  userId: string,
  afterCommit: AfterCommit,
): Promise<void> {
  const [groups, roles, given, account] = [
    await store.groupNamesOf(tx, userId),
    await store.allGroupRoles(tx),
    await store.givenRole(tx, userId),
    await accountBehindKey(tx, userId),
  ];
  if (account === null) return;
  // A suspended person has no role until they are back.
  const mapped = account.isSuspended ? null : roleOfGroups(groups, roles);
  const to = nextRole({ current: account.staffRole, given, mapped });
  if (to === undefined) {
    if (account.staffRole === null && given !== null) await store.setGivenRole(tx, userId, null);
    return;
  }
  try {
    await changeRole(tx, { by: null, personId: userId, to }, app.clock.now());
  } catch (error) {
    // Another sign-in of this person has just done it, or their account is being deleted.
    if (error instanceof Refusal && ['admin.movedOn', 'admin.accountUnfinished'].includes(error.reason))
      return;
    throw error;
  }
  await store.setGivenRole(tx, userId, to);
  afterCommit(() => app.realtime.tell([userId], 'changed', { topic: 'profile', id: userId, news: null }));
}

/** Stores the groups that a provider named at a sign-in, and updates the person's role. */
export async function noteSignInGroups(
  app: App,
  { userId, issuer, groups }: { userId: string; issuer: string; groups: readonly string[] },
): Promise<void> {
  await app.transact('note sign in groups', async (tx, afterCommit) => {
    await store.setSignInGroups(tx, { userId, issuer }, [...new Set(groups)].slice(0, mostGroups));
    await followGroups(app, tx, userId, afterCommit);
  });
}

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

const viewRoles = (rows: readonly store.GroupRoleRow[]): GroupRole[] =>
  rows.map(({ groupName, role }) => ({ group: groupName, role }));

/** The people, the groups and the roles of groups. */
export async function shownDirectory({
  db,
  env,
}: Pick<CommandPlatform, 'db' | 'env'>): Promise<OutputOf<typeof readDirectory>> {
  const [figures, roles] = await Promise.all([store.figures(db), store.allGroupRoles(db)]);
  return { scimUrl: `${env.publicUrl}${scimPath}`, ...figures, roles: viewRoles(roles) };
}
