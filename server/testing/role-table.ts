import { isPermitted, permissions, staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { keyNeedOf } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import { roles, type Role } from './access-fixture.ts';
import type { Row } from './access-rows.ts';

const isStaff = (role: Role): role is StaffRole => staffRoles.some((each) => each === role);

/**
 * The code of the answer to every role. A row has one code for the whole team: calls of the admin area refuse
 * roles without the permission, and all other calls treat a team member as a stranger.
 */
export function answersOf({ permission }: Endpoint, { answers }: Row): Record<Role, number> {
  const ofStaff = answers.at(-1) ?? 0;
  const entries = roles.map((role, index): [Role, number] => {
    if (!isStaff(role)) return [role, answers[index] ?? 0];
    return [role, permission === undefined || isPermitted(role, permission) ? ofStaff : 403];
  });
  return Object.fromEntries(entries) as Record<Role, number>;
}

const intro = `# Roles

Written by \`npm run contract\` from \`contract/admin/roles.ts\` and \`server/testing/access-rows.ts\`; \`npm run check\` fails when it is
out of date, and \`server/access-table.db.test.ts\` makes every call below as every role and compares the answer.

The roles of people on the team. \`npm run admin -- grant EMAIL --role ROLE\` or the admin area gives one: an owner can give any role, an admin
the ones below admin. The last owner cannot lose the role.
`;

const introToCalls = `
## Every call as every role

The codes with which each call answers each role, around one ride. 200: success; 400: sign in first; 403: not allowed; 404: it does not exist for this
person; 409 and 422: allowed, but refused because of the input (the test has no such thing, or sends input that is always refused).

*API key* is the scope that a key needs for the call (\`contract/connect/scopes.ts\`); *never*: the call accepts no keys; *any*: it accepts every valid key. With the scope, a
key gets the answer of the person it acts for; without it, 403: \`server/features/connect/keys/access.db.test.ts\` makes every call both ways.

`;

/** `docs/roles.md`: which role has which permission, and what every call answers to every role. */
export function rolesPage(endpoints: readonly Endpoint[], rows: Readonly<Record<string, Row>>): string {
  const granted = permissions.map((permission) => [
    `\`${permission}\``,
    ...staffRoles.map((role) => (isPermitted(role, permission) ? '✓' : '')),
  ]);
  const calls = endpoints
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((endpoint) => {
      const name = `${endpoint.method} ${endpoint.path}`;
      const row = rows[name];
      if (row === undefined) return [];
      const answers = answersOf(endpoint, row);
      return [
        [name, endpoint.permission ?? '', keyNeedOf(endpoint), ...roles.map((role) => String(answers[role]))],
      ];
    });
  return [
    intro,
    table(['Permission', ...staffRoles], granted),
    introToCalls,
    table(['Call', 'Permission', 'API key', ...roles], calls),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}
