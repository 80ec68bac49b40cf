import { expect, test } from 'vitest';
import { isPermitted, mayChangeRole, permissions, staffRoles, type StaffRole } from './roles.ts';

test('an owner may everything, and a person without a role nothing', () => {
  expect(permissions.filter((permission) => !isPermitted('owner', permission))).toEqual([]);
  expect(permissions.filter((permission) => isPermitted(null, permission))).toEqual([]);
});

test('every role may something, and an auditor changes nothing', () => {
  for (const role of staffRoles)
    expect(permissions.some((permission) => isPermitted(role, permission))).toBe(true);
  const ofAuditor = permissions.filter((permission) => isPermitted('auditor', permission));
  expect(ofAuditor.filter((permission) => !permission.endsWith('.read'))).toEqual([]);
});

const changes: [StaffRole | null, StaffRole | null, StaffRole | null, boolean][] = [
  ['owner', null, 'owner', true],
  ['owner', 'owner', null, true],
  ['owner', 'admin', 'support', true],
  ['admin', null, 'moderator', true],
  ['admin', 'support', 'auditor', true],
  ['admin', 'reviewer', null, true],
  ['admin', null, 'admin', false],
  ['admin', 'admin', null, false],
  ['admin', 'support', 'owner', false],
  ['admin', 'owner', 'support', false],
  ['moderator', null, 'support', false],
  ['auditor', 'auditor', null, false],
  [null, null, 'support', false],
];
test.each(changes)('%s changes %s to %s: %s', (giver, from, to, may) => {
  expect(mayChangeRole(giver, { from, to })).toBe(may);
});
