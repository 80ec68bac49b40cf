import type { StaffRole } from '#contract/admin/roles.ts';

/** The columns of an account that hold its role. */
export interface StaffColumns {
  isAdmin: boolean;
  staffRole: StaffRole | null;
}

/**
 * The role of an account. It reads both columns, because the former release writes only `isAdmin`: an account
 * that it makes an admin is one, and an owner or admin that it revokes has no role.
 */
export function staffRoleOf({ isAdmin, staffRole }: StaffColumns): StaffRole | null {
  if (isAdmin) return staffRole === 'owner' ? 'owner' : 'admin';
  return staffRole === 'owner' || staffRole === 'admin' ? null : staffRole;
}

/** The columns of a role. The former release knows only admins; to it, the other roles are none. */
export const staffColumnsOf = (role: StaffRole | null): StaffColumns => ({
  isAdmin: role === 'owner' || role === 'admin',
  staffRole: role,
});
