import { isPermitted, permissions, staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { keyNeedOf } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import { roles, type Role } from './access-fixture.ts';
import type { Row } from './access-rows.ts';

const isStaff = (role: Role): role is StaffRole => staffRoles.some((each) => each === role);

/**
 * The code that every role is answered with. A row says it once for the whole staff: a call of the admin area
 * is refused to roles without its permission, and to any other call a person of the staff is one more
 * stranger.
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

The roles of people on the team, from \`contract/admin/roles.ts\`. \`npm run admin -- grant EMAIL --role ROLE\` gives one, and so does the admin area: an owner any,
an admin those below their own. The last owner stays.
`;

const introToCalls = `
## Every call as every role

The code of the answer, on one ride with all of these around it. 200 is an answer; 400: sign in first; 403: not allowed; 404: no such thing for this
person; 409 and 422: let in, and then refused for what was sent (nothing of the kind exists, or the test sends what is always refused).

*API key* is the scope that a key needs for the call (\`contract/connect/scopes.ts\`); *never*: no key may make it; *any*: every key may. With it a key is answered
as the person is for whom it acts, and with 403 without it: \`server/features/connect/keys/access.db.test.ts\` makes every call with both.

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
