import { expect, test } from 'vitest';
import { isPermitted, staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { reader, worker } from './policy.ts';

const rows: [StaffRole | null, string[]][] = [
  ['owner', ['feedback', 'report']],
  ['admin', ['feedback', 'report']],
  ['moderator', ['report']],
  ['support', ['feedback']],
  ['reviewer', []],
  ['auditor', []],
  [null, []],
];
test.each(rows)('%s reads and answers %j', (role, kinds) => {
  expect(reader('p', role).kinds).toEqual(kinds);
  expect(worker('p', role).kinds).toEqual(kinds);
});

test('a role works on tickets where it works on one of their kinds', () => {
  for (const role of staffRoles) {
    expect(isPermitted(role, 'tickets.read')).toBe(reader('p', role).kinds.length > 0);
    expect(isPermitted(role, 'tickets.answer')).toBe(worker('p', role).kinds.length > 0);
  }
});
