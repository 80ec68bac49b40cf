import { z } from 'zod';
import { staffRoles } from '../admin/roles.ts';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { nameLine } from '../units.ts';

export const groupNameLength = 200;
/** The most groups that can have a role. */
export const mostGroupRoles = 200;
/** The most groups in the list, the largest first. */
export const mostGroupsShown = 100;
const count = z.number().int();

/** The roles that a group can have. Only a person can make another an owner. */
export const groupRoles = staffRoles.filter((role) => role !== 'owner');

export const groupRole = z.object({ group: z.string(), role: z.enum(staffRoles) });
export type GroupRole = z.output<typeof groupRole>;

export const readDirectory = defineEndpoint({
  method: 'GET',
  path: '/admin/directory',
  who: 'admin',
  permission: 'roles.give',
  summary: 'How many people and which groups the directory manages through SCIM, and the roles of groups.',
  input: z.object({}),
  output: z.object({
    /** The address that the directory sends people and groups to. */
    scimUrl: z.string(),
    people: count,
    active: count,
    /** The largest first. */
    groups: z.array(z.object({ name: z.string(), members: count })).max(mostGroupsShown),
    roles: z.array(groupRole).max(mostGroupRoles),
  }),
  refusals: [],
});

export const mapGroup = defineEndpoint({
  method: 'POST',
  path: '/admin/map-group',
  who: 'admin',
  permission: 'roles.give',
  stepUp: true,
  summary:
    'Gives the members of a group a role, changes it or takes it away; it takes effect at once and at each sign-in. A group cannot have the role of an owner, and only an owner can give it the role of an admin.',
  limits: [{ countedAs: 'roles', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    group: nameLine(groupNameLength, 'Please enter the name of a group.'),
    /** Null takes the role of the group away. */
    role: z.enum(groupRoles).nullable(),
  }),
  output: z.object({ roles: z.array(groupRole).max(mostGroupRoles) }),
  refusals: ['admin.roleTooHigh', 'directory.tooMany'],
});
