import { mayChangeRole, type StaffRole } from '#contract/admin/roles.ts';
import type { Db } from '../../../platform/database/db.ts';
import { accountBehindKey } from '../../identity/queries.ts';
import { roleOfGroups } from './rules/role-of-groups.ts';
import { ScimError } from './rules/scim-error.ts';
import * as store from './store.ts';

/**
 * Refuses to manage a person with a role that the key's owner could not give or take by hand, or who would
 * get such a role from their groups. With it a key of an admin does nothing to owners and other admins.
 */
export async function requireRightOver(
  tx: Db,
  { staffRole }: DirectoryCaller,
  userId: string,
): Promise<void> {
  const account = await accountBehindKey(tx, userId);
  const from = account?.staffRole ?? null;
  const to = roleOfGroups(await store.groupNamesOf(tx, userId), await store.allGroupRoles(tx));
  if ((from ?? to) !== null && !mayChangeRole(staffRole, { from, to }))
    throw new ScimError(
      403,
      null,
      `This person has the role ${from ?? to}: only a key of an owner can manage them.`,
    );
}

/** Refuses to rename a person whom the key's owner could not manage, and an owner with any key. */
export async function requireRightToName(tx: Db, caller: DirectoryCaller, userId: string): Promise<void> {
  await requireRightOver(tx, caller, userId);
  if ((await accountBehindKey(tx, userId))?.staffRole === 'owner')
    throw new ScimError(403, null, 'A directory can’t rename an owner of the installation.');
}

/** Runs a task after the transaction has committed. */
export type AfterCommit = (task: () => void) => void;

/** The person that a directory's key acts for. */
export interface DirectoryCaller {
  userId: string;
  /** The directory may change the roles that this person may change. */
  staffRole: StaffRole | null;
}
