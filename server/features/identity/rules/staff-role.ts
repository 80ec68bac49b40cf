import type { StaffRole } from '#contract/admin/roles.ts';

/** Owners and admins. */
export const isAdmin = (role: StaffRole | null): boolean => role === 'owner' || role === 'admin';
