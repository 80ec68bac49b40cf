import { z } from 'zod';
import { staffRoles } from '../admin/roles.ts';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { nameLine } from '../units.ts';

export const groupNameLength = 200;
/** So many groups can have a role. */
export const mostGroupRoles = 200;
/** So many groups are listed, the largest first. */
export const mostGroupsShown = 100;
const count = z.number().int();

/** Roles that a group can give: an owner is made by a person alone. */
export const groupRoles = staffRoles.filter((role) => role !== 'owner');

export const groupRole = z.object({ group: z.string(), role: z.enum(staffRoles) });
export type GroupRole = z.output<typeof groupRole>;

export const readDirectory = defineEndpoint({
  method: 'GET',
  path: '/admin/directory',
  who: 'admin',
  permission: 'roles.give',
  summary: 'Whom a directory manages over SCIM, its groups, and which role the members of a group have.',
  input: z.object({}),
  output: z.object({
    /** Where the directory sends people and groups. */
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
    'Gives the members of a group a role, another one, or none, at once and at each sign-in. Never that of an owner; that of an admin is an owner’s to give.',
  limits: [{ countedAs: 'roles', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    group: nameLine(groupNameLength, 'Please enter the name of a group.'),
    /** Null takes the role of the group away. */
    role: z.enum(groupRoles).nullable(),
  }),
  output: z.object({ roles: z.array(groupRole).max(mostGroupRoles) }),
  refusals: ['admin.roleTooHigh', 'directory.tooMany'],
});
