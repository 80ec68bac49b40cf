import type { App } from '../../../app-type.ts';
import type { z } from 'zod';
import type { GroupRole, mapGroup as mapCall, readDirectory } from '#contract/connect/directory.ts';
import type { OutputOf } from '#contract/define.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { DirectoryCaller, DirectoryContext } from './context.ts';
import { changeGroupOf, createGroup, listGroups, patchGroup, readGroup, removeGroup } from './groups.ts';
import { mapGroup, viewRoles } from './map-group.ts';
import type { DirectoryGroup, ScimOperation } from './rules/changes.ts';
import * as store from './store.ts';
import {
  createUser,
  listUsers,
  patchUser,
  readUser,
  removeUser,
  replaceUser,
  type SentPerson,
} from './users.ts';
import { scimPath } from './view.ts';

export { noteSignInGroups } from './follow-groups.ts';
export type DirectoryService = ReturnType<typeof createDirectory>;

/** The people, the groups and the roles of groups. */
export async function shownDirectory({
  db,
  env,
}: Pick<CommandPlatform, 'db' | 'env'>): Promise<OutputOf<typeof readDirectory>> {
  const [figures, roles] = await Promise.all([store.figures(db), store.allGroupRoles(db)]);
  return { scimUrl: `${env.publicUrl}${scimPath}`, ...figures, roles: viewRoles(roles) };
}

/** The role of a group, set from the command line. */
export const mapGroupByCommand = (
  platform: CommandPlatform,
  input: z.output<typeof mapCall.input>,
): Promise<GroupRole[]> => mapGroup({ platform }, null, input);

/** The people and groups that an organization's directory manages, and the roles of its groups. */
export function createDirectory(platform: App) {
  const context: DirectoryContext = { platform };
  return {
    read: () => shownDirectory(platform),
    mapGroup: async (caller: Caller, input: z.output<typeof mapCall.input>) => ({
      roles: await mapGroup(context, { id: caller.userId, role: caller.staffRole }, input),
    }),

    listUsers: (filter: string, page: store.Page) => listUsers(context, filter, page),
    readUser: (id: string) => readUser(context, id),
    createUser: (caller: DirectoryCaller, sent: SentPerson) => createUser(context, caller, sent),
    replaceUser: (caller: DirectoryCaller, id: string, sent: SentPerson) =>
      replaceUser(context, caller, id, sent),
    patchUser: (caller: DirectoryCaller, id: string, operations: readonly ScimOperation[]) =>
      patchUser(context, caller, id, operations),
    removeUser: (caller: DirectoryCaller, id: string) => removeUser(context, caller, id),

    listGroups: (wish: { filter: string; withMembers: boolean }, page: store.Page) =>
      listGroups(context, wish, page),
    readGroup: (id: string, withMembers: boolean) => readGroup(context, id, withMembers),
    createGroup: (caller: DirectoryCaller, sent: DirectoryGroup) => createGroup(context, caller, sent),
    replaceGroup: (caller: DirectoryCaller, id: string, sent: DirectoryGroup) =>
      changeGroupOf(context, caller, id, () => sent),
    patchGroup: (caller: DirectoryCaller, id: string, operations: readonly ScimOperation[]) =>
      patchGroup(context, caller, id, operations),
    removeGroup: (caller: DirectoryCaller, id: string) => removeGroup(context, caller, id),

    erasure: store.erasure,
  };
}
