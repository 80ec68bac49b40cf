import { groupRoles, mapGroup } from '#contract/connect/directory.ts';
import {
  mapGroup as changeRoleOfGroup,
  shownDirectory,
} from '../../server/features/connect/directory/follow-groups.ts';
import { commandPlatform } from '../../server/platform/command-platform.ts';
import { checked, misuse, readWords, type AdminCommand, type Outcome, type Place } from './run-command.ts';

const usage = `Roles of groups, from a directory (SCIM) or from a sign-in (OpenID Connect).
  npm run admin -- groups [--json]
  npm run admin -- groups map GROUP --role ${groupRoles.join('|')}|none [--json]
Members have the role at once where the directory names them, others at their next sign-in.`;

export const groups: AdminCommand = {
  usage,
  read(args) {
    const { words, given, json } = readWords(args, { most: 2, names: ['role'] });
    const [verb = 'list', group = ''] = words;
    if (verb === 'list' && group === '') {
      if (given.role !== undefined) misuse();
      return { json, run: list };
    }
    if (verb !== 'map' || given.role === undefined) misuse();
    const input = checked(mapGroup.input, { group, role: given.role === 'none' ? null : given.role });
    return {
      json,
      run: async (place) => shownRoles(await changeRoleOfGroup(commandPlatform(place), null, input)),
    };
  },
};

type Roles = Awaited<ReturnType<typeof changeRoleOfGroup>>;

const shownRoles = (roles: Roles): Outcome => ({ text: linesOf(roles), json: roles });

const linesOf = (roles: Roles): string =>
  roles.length === 0
    ? 'No group has a role.'
    : roles.map(({ group, role }) => `${group}: ${role}`).join('\n');

async function list({ db, env }: Place): Promise<Outcome> {
  const shown = await shownDirectory({ db, env });
  const { scimUrl, people, active, groups: all, roles } = shown;
  const text = [
    `${scimUrl}: ${people} people, ${active} of them active`,
    ...all.map(({ name, members }) => `${name} (${members})`),
    linesOf(roles),
  ].join('\n');
  return { text, json: shown };
}
