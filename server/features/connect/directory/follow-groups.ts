import type { App } from '../../../app-type.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { accountBehindKey } from '../../identity/queries.ts';
import { changeRole } from '../../identity/service.ts';
import type { AfterCommit } from './directory-caller.ts';
import { nextRole, roleOfGroups } from './rules/role-of-groups.ts';
import * as store from './store.ts';

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
  afterCommit(() => {
    app.responseCache.forget(userId);
    app.realtime.tell([userId], 'changed', { topic: 'profile', id: userId, news: null });
  });
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
