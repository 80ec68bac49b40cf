import { mayChangeRole, type StaffRole } from '#contract/admin/roles.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn, notFound, Refusal } from '../../platform/refusal.ts';
import { noteDeed } from '../../platform/security/audit-log.ts';
import * as store from './store.ts';

/** The person who gives a role; null for the command line, which may give any. */
export type RoleGiver = { id: string; role: StaffRole | null } | null;

/**
 * Gives an account a role on the team, or takes it away (null), in the caller's transaction, and writes it to
 * the audit log. It applies from the next call on. Refuses `admin.userNotFound`, `admin.accountUnfinished`,
 * `admin.roleTooHigh`, `admin.movedOn` if the account already has the role, and `admin.lastOwner`.
 */
export async function changeRole(
  tx: Db,
  { by, personId, to }: { by: RoleGiver; personId: string; to: StaffRole | null },
  at: Date,
): Promise<store.UserRow> {
  const owners = await store.holdOwners(tx);
  const person = await store.holdUser(tx, personId);
  if (person === null || person.deletedAt !== null) throw userNotFound();
  const from = person.staffRole;
  if (by !== null && !mayChangeRole(by.role, { from, to })) throw roleTooHigh();
  if (from === to) throw movedOn('admin.movedOn', 'Another admin already did this.');
  if (to !== null && (person.suspendedAt !== null || person.deletionDueAt !== null)) throw unfinished();
  if (from === 'owner' && owners.every((id) => id === personId)) throw lastOwner();
  const changed = await store.writeStaffRole(tx, personId, to);
  if (changed === null) throw userNotFound();
  const action = to === null ? 'admin.revoked' : 'admin.granted';
  await noteDeed(tx, { adminId: by?.id ?? null, action, personId, note: to ?? from ?? '' }, at);
  return changed;
}

/**
 * The same for the command line, by email address. Without a role, the first person becomes an owner, and
 * later ones admins. Refuses what `changeRole` refuses.
 */
export const giveRoleByEmail = (
  db: Db,
  { email, role }: { email: string; role: StaffRole | null | undefined },
  at: Date,
): Promise<StaffRole | null> =>
  db.transaction(async (tx) => {
    const person = await store.findUser(tx, { email: email.trim().toLowerCase() });
    if (person === null) throw userNotFound();
    const to = role === undefined ? await firstRole(tx) : role;
    await changeRole(tx, { by: null, personId: person.id, to }, at);
    return to;
  });

const firstRole = async (tx: Db): Promise<StaffRole> =>
  (await store.holdOwners(tx)).length === 0 ? 'owner' : 'admin';

const userNotFound = () => notFound('admin.userNotFound', 'We couldn’t find this person.');
const roleTooHigh = () =>
  new Refusal('admin.roleTooHigh', 'Only an owner can give or take this role.', { code: 403 });
const lastOwner = () =>
  new Refusal('admin.lastOwner', 'This is the last owner. Make another person an owner first.', {
    code: 409,
  });
const unfinished = () =>
  new Refusal('admin.accountUnfinished', 'This account is suspended or about to be deleted.', { code: 409 });
