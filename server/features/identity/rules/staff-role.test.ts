import { expect, test } from 'vitest';
import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { staffColumnsOf, staffRoleOf } from './staff-role.ts';

test.each([...staffRoles, null])('%s is read as it was written', (role) => {
  expect(staffRoleOf(staffColumnsOf(role))).toBe(role);
});

const halves: [boolean, StaffRole | null, StaffRole | null][] = [
  // The former release granted it.
  [true, null, 'admin'],
  [true, 'support', 'admin'],
  // The former release revoked it.
  [false, 'owner', null],
  [false, 'admin', null],
];
test.each(halves)('isAdmin %s beside %s is %s', (isAdmin, staffRole, role) => {
  expect(staffRoleOf({ isAdmin, staffRole })).toBe(role);
});
