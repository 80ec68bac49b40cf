import type { StaffRole } from '#contract/admin/roles.ts';

/** What the row of an account says of its role. */
export interface StaffColumns {
  isAdmin: boolean;
  staffRole: StaffRole | null;
}

/**
 * The role of an account. Both columns are read: the former release writes `isAdmin` alone, so that whom it
 * makes an admin is one, and an owner or admin from whom it takes the right is nothing more.
 */
export function staffRoleOf({ isAdmin, staffRole }: StaffColumns): StaffRole | null {
  if (isAdmin) return staffRole === 'owner' ? 'owner' : 'admin';
  return staffRole === 'owner' || staffRole === 'admin' ? null : staffRole;
}

/** The columns of a role. The former release knows admins alone: to it the other roles are none. */
export const staffColumnsOf = (role: StaffRole | null): StaffColumns => ({
  isAdmin: role === 'owner' || role === 'admin',
  staffRole: role,
});
