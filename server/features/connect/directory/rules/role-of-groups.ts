import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';

const lower = (name: string): string => name.toLowerCase();

/**
 * The most powerful role of a person's groups; null if none of them has one. Names of groups are
 * case-insensitive. Never returns `owner`, whatever is mapped.
 */
export function roleOfGroups(
  groups: readonly string[],
  roles: readonly { groupName: string; role: StaffRole }[],
): StaffRole | null {
  const names = new Set(groups.map(lower));
  const given = roles.filter(({ groupName }) => names.has(lower(groupName))).map(({ role }) => role);
  return staffRoles.find((role) => role !== 'owner' && given.includes(role)) ?? null;
}

/**
 * A person's new role when their groups change: a role, none (null), or no change (`undefined`). Owners keep
 * their role, and a role given by hand stays until it is taken by hand.
 * @param given the role that their groups gave them before; null for none
 */
export function nextRole({
  current,
  given,
  mapped,
}: Record<'current' | 'given' | 'mapped', StaffRole | null>): StaffRole | null | undefined {
  if (current === 'owner' || current === mapped) return undefined;
  return current === null || current === given ? mapped : undefined;
}
