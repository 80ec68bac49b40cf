import { expect, test } from 'vitest';
import { nextRole, roleOfGroups } from './role-of-groups.ts';

const roles = [
  { groupName: 'Help desk', role: 'support' },
  { groupName: 'IT', role: 'admin' },
  { groupName: 'Board', role: 'owner' },
] as const;

test.each([
  [[], null],
  [['Sales'], null],
  [['help DESK'], 'support'],
  [['Help desk', 'it'], 'admin'],
  [['Board'], null],
  [['Board', 'Help desk'], 'support'],
])('the groups %j give %s', (groups, role) => {
  expect(roleOfGroups(groups, roles)).toBe(role);
});

test.each([
  // No role before.
  [null, null, 'support', 'support'],
  [null, null, null, undefined],
  // The groups gave the role, so it changes with them.
  ['support', 'support', 'admin', 'admin'],
  ['support', 'support', null, null],
  ['support', 'support', 'support', undefined],
  // An admin gave the role, so it stays.
  ['auditor', null, 'support', undefined],
  ['auditor', null, null, undefined],
  ['auditor', 'support', null, undefined],
  // An admin took the role away, but the group gives it again.
  [null, 'support', 'support', 'support'],
  // Owners stay owners.
  ['owner', null, 'support', undefined],
  ['owner', 'admin', null, undefined],
] as const)('as %s, given %s, with groups that give %s: %s', (current, given, mapped, next) => {
  expect(nextRole({ current, given, mapped })).toBe(next);
});
