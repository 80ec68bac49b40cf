import type { Db } from '../../../platform/database/db.ts';
import { translate } from '../../../platform/messages/translate.ts';
import { accountBehindKey } from '../../identity/queries.ts';
import type { AfterCommit, DirectoryCaller, DirectoryContext } from './context.ts';
import { followGroups } from './follow-groups.ts';
import { ScimError } from './rules/scim-error.ts';
import * as store from './store.ts';
import type { DirectoryUserRow } from './store.ts';

interface Change {
  row: DirectoryUserRow;
  isActive: boolean;
  /** Whose key asks for it. */
  by: DirectoryCaller;
}

/**
 * Lets a person in or keeps them out, in the caller's transaction: who is kept out loses their role, their
 * sessions and API keys end at once, their open rides are taken back. An owner is never kept out, and what an
 * admin has suspended stays so. Refuses with 403 for an owner, and for a role that whose key it is could not
 * take.
 */
export async function setActive(
  context: DirectoryContext,
  tx: Db,
  { row, isActive, by }: Change,
  afterCommit: AfterCommit,
): Promise<DirectoryUserRow> {
  if (row.isActive === isActive) return row;
  const hasSuspended = isActive
    ? await letIn(context, tx, { row, by }, afterCommit)
    : await keepOut(context, tx, { row, by }, afterCommit);
  const changed = await store.updateUser(tx, row.userId, { isActive, hasSuspended });
  if (isActive) await followGroups(context, tx, row.userId, afterCommit);
  return changed;
}

async function keepOut(
  { platform, identity }: DirectoryContext,
  tx: Db,
  { row: { userId }, by }: Omit<Change, 'isActive'>,
  afterCommit: AfterCommit,
): Promise<boolean> {
  const { clock, audit, outbox, realtime } = platform;
  const now = clock.now();
  const account = await accountBehindKey(tx, userId);
  if (account?.staffRole === 'owner')
    throw new ScimError(403, null, 'A directory can’t deactivate an owner of the installation.');
  if (account !== null && account.staffRole !== null)
    await identity.changeRole(
      tx,
      { by: { id: by.userId, role: by.staffRole }, personId: userId, to: null },
      now,
    );
  await store.setGivenRole(tx, userId, null);
  // What a person reads who tries to sign in.
  const reason = translate(account?.language ?? 'en')('suspended.byDirectory');
  if ((await identity.suspend(tx, userId, now, reason)) === null) return false;
  afterCommit(() =>
    realtime.tell([userId], 'changed', { topic: 'profile', id: userId, news: 'user.suspended' }),
  );
  await identity.endAllSessions(tx, userId, afterCommit);
  await audit.note(tx, { adminId: by.userId, action: 'user.suspended', personId: userId, note: 'SCIM' });
  await outbox.emit(tx, 'user.suspended', { userId }, userId);
  return true;
}

async function letIn(
  { platform, identity }: DirectoryContext,
  tx: Db,
  { row: { userId, hasSuspended }, by }: Omit<Change, 'isActive'>,
  afterCommit: AfterCommit,
): Promise<boolean> {
  if (!hasSuspended || (await identity.unsuspend(tx, userId)) === null) return false;
  await platform.audit.note(tx, {
    adminId: by.userId,
    action: 'user.unsuspended',
    personId: userId,
    note: 'SCIM',
  });
  afterCommit(() => platform.responseCache.forget(userId));
  return false;
}
