import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { translate } from '../../../platform/messages/translate.ts';
import { accountBehindKey } from '../../identity/queries.ts';
import { changeRole, suspendAccount, endAllSessions, unsuspendAccount } from '../../identity/service.ts';
import { type AfterCommit, type DirectoryCaller, requireRightOver } from './require-right.ts';
import { followGroups } from './follow-groups.ts';
import { ScimError } from './rules/scim-error.ts';
import * as store from './store.ts';
import type { DirectoryUserRow } from './store.ts';

interface Change {
  row: DirectoryUserRow;
  isActive: boolean;
  /** The owner of the key that makes the call. */
  by: DirectoryCaller;
}

/**
 * Activates or deactivates a person, in the caller's transaction. Deactivating ends their role, sessions and
 * API keys at once and cancels their open rides. An owner cannot be deactivated, and a suspension by an admin
 * stays. Refuses with 403 for an owner, and for a role that the key's owner could not take away or give back.
 */
export async function setActive(
  app: App,
  tx: Db,
  { row, isActive, by }: Change,
  afterCommit: AfterCommit,
): Promise<DirectoryUserRow> {
  if (row.isActive === isActive) return row;
  if (isActive) await requireRightOver(tx, by, row.userId);
  const hasSuspended = isActive
    ? await letIn(app, tx, { row, by }, afterCommit)
    : await keepOut(app, tx, { row, by }, afterCommit);
  const changed = await store.updateUser(tx, row.userId, { isActive, hasSuspended });
  if (isActive) await followGroups(app, tx, row.userId, afterCommit);
  return changed;
}

async function keepOut(
  app: App,
  tx: Db,
  { row: { userId }, by }: Omit<Change, 'isActive'>,
  afterCommit: AfterCommit,
): Promise<boolean> {
  const { clock, audit, outbox, realtime } = app;
  const now = clock.now();
  const account = await accountBehindKey(tx, userId);
  if (account?.staffRole === 'owner')
    throw new ScimError(403, null, 'A directory can’t deactivate an owner of the installation.');
  if (account !== null && account.staffRole !== null)
    await changeRole(tx, { by: { id: by.userId, role: by.staffRole }, personId: userId, to: null }, now);
  await store.setGivenRole(tx, userId, null);
  // The reason that the person reads when they try to sign in.
  const reason = translate(account?.language ?? 'en')('suspended.byDirectory');
  if ((await suspendAccount(tx, userId, now, reason)) === null) return false;
  afterCommit(() =>
    realtime.tell([userId], 'changed', { topic: 'profile', id: userId, news: 'user.suspended' }),
  );
  await endAllSessions(app, tx, userId, afterCommit);
  await audit.note(tx, { adminId: by.userId, action: 'user.suspended', personId: userId, note: 'SCIM' });
  await outbox.emit(tx, 'user.suspended', { userId }, userId);
  return true;
}

async function letIn(
  app: App,
  tx: Db,
  { row: { userId, hasSuspended }, by }: Omit<Change, 'isActive'>,
  afterCommit: AfterCommit,
): Promise<boolean> {
  if (!hasSuspended || (await unsuspendAccount(tx, userId)) === null) return false;
  await app.audit.note(tx, {
    adminId: by.userId,
    action: 'user.unsuspended',
    personId: userId,
    note: 'SCIM',
  });
  afterCommit(() => app.responseCache.forget(userId));
  return false;
}
