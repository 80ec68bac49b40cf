import { randomUUID } from 'node:crypto';
import { mayChangeRole } from '#contract/admin/roles.ts';
import { oneLine } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { DirectoryCaller } from './require-right.ts';
import { followGroups } from './follow-groups.ts';
import { changeGroup, type DirectoryGroup, type ScimOperation } from './rules/changes.ts';
import { readFilter } from './rules/filter.ts';
import { ScimError } from './rules/scim-error.ts';
import * as store from './store.ts';
import type { DirectoryGroupRow } from './store.ts';
import { viewGroup, type ScimGroup } from './view.ts';

const nameLine = oneLine(200);
/** The most members of a group, and of the groups of a page together. */
const mostMembers = 20_000;

/**
 * One page of groups, and their total. A page with members ends earlier if they are too many for one answer,
 * as RFC 7644 allows. Refuses filters other than by equality.
 */
export async function listGroups(
  { db, env }: App,
  { filter, withMembers }: { filter: string; withMembers: boolean },
  page: store.Page,
): Promise<{ groups: ScimGroup[]; total: number }> {
  const { rows, total } = await store.groupPage(db, wishOf(filter), page);
  if (!withMembers) return { groups: rows.map((row) => viewGroup(row, null, env.publicUrl)), total };
  const shown = await rowsThatFit(db, rows);
  const members = await store.membersOf(
    db,
    shown.map(({ id }) => id),
  );
  return { groups: shown.map((row) => viewGroup(row, members.get(row.id) ?? [], env.publicUrl)), total };
}

/** The first groups that have no more than `mostMembers` together; one of them at least. */
async function rowsThatFit(db: Db, rows: readonly DirectoryGroupRow[]): Promise<DirectoryGroupRow[]> {
  const sizes = await store.sizesOf(
    db,
    rows.map(({ id }) => id),
  );
  let members = 0;
  const beyond = rows.findIndex(({ id }) => (members += sizes.get(id) ?? 0) > mostMembers);
  return rows.slice(0, beyond < 0 ? rows.length : Math.max(1, beyond));
}

function wishOf(text: string): { displayName: string } | { externalId: string } | null {
  if (text.trim() === '') return null;
  const { attribute, value } = readFilter(text) ?? { attribute: '', value: false };
  if (typeof value === 'string' && attribute === 'displayname') return { displayName: value };
  if (typeof value === 'string' && attribute === 'externalid') return { externalId: value };
  throw new ScimError(400, 'invalidFilter', 'Groups are found by displayName or externalId, with eq.');
}

export async function readGroup({ db, env }: App, id: string, withMembers: boolean): Promise<ScimGroup> {
  const row = isId(id) ? await store.findGroup(db, id) : null;
  if (row === null) throw unknown();
  const members = withMembers ? ((await store.membersOf(db, [id])).get(id) ?? []) : null;
  return viewGroup(row, members, env.publicUrl);
}

/** Creates a group. Refuses a name that is taken. */
export async function createGroup(
  app: App,
  caller: DirectoryCaller,
  sent: DirectoryGroup,
): Promise<ScimGroup> {
  const { transact, clock } = app;
  const id = randomUUID();
  const memberIds = await transact('create group', async (tx) => {
    const now = clock.now();
    const fields = { displayName: nameOf(sent), externalId: sent.externalId };
    await requireRight(tx, caller, [fields.displayName]);
    const row = await store.insertGroup(tx, { id, ...fields, createdAt: now, changedAt: now });
    if (row === null) throw nameTaken();
    const known = await knownMembers(tx, sent.memberIds);
    await store.setMembers(tx, id, known);
    return known;
  });
  await followAll(app, memberIds);
  return readGroup(app, id, true);
}

/** Changes a group (PUT, PATCH) and updates the roles of new and former members. */
async function changeGroupOf(
  app: App,
  caller: DirectoryCaller,
  id: string,
  make: (group: DirectoryGroup) => DirectoryGroup,
): Promise<ScimGroup> {
  const { transact, clock } = app;
  const touched = await transact('change group members', async (tx) => {
    const row = isId(id) ? await store.holdGroup(tx, id) : null;
    if (row === null) throw unknown();
    const before = await groupOf(tx, row);
    const after = make(before);
    const displayName = nameOf(after);
    await requireRight(tx, caller, [before.displayName, displayName]);
    const { rows } = await store.groupPage(tx, { displayName }, { offset: 0, size: 1 });
    if (rows[0] !== undefined && rows[0].id !== id) throw nameTaken();
    const known = await knownMembers(tx, after.memberIds);
    await store.setMembers(tx, id, known);
    const set = { displayName, externalId: after.externalId, changedAt: clock.now() };
    await store.updateGroup(tx, id, set);
    // The role of the remaining members can change only if the group is renamed.
    const isRenamed = displayName !== before.displayName;
    const stay = new Set(known.filter((each) => before.memberIds.includes(each)));
    return [...new Set([...before.memberIds, ...known])].filter((each) => isRenamed || !stay.has(each));
  });
  await followAll(app, touched);
  return readGroup(app, id, true);
}

export const patchGroup = (
  app: App,
  caller: DirectoryCaller,
  id: string,
  operations: readonly ScimOperation[],
): Promise<ScimGroup> => changeGroupOf(app, caller, id, (group) => changeGroup(group, operations));

/** Deletes a group and updates the roles of its members. */
export async function removeGroup(app: App, caller: DirectoryCaller, id: string): Promise<void> {
  const memberIds = await app.transact('remove group', async (tx) => {
    const row = isId(id) ? await store.holdGroup(tx, id) : null;
    if (row === null) throw unknown();
    const { memberIds: all } = await groupOf(tx, row);
    await requireRight(tx, caller, [row.displayName]);
    await store.deleteGroup(tx, id);
    return all;
  });
  await followAll(app, memberIds);
}

/**
 * Refuses to change a group with a role that the key's owner could not give by hand, so that a directory
 * cannot bypass the rules for roles.
 */
async function requireRight(
  tx: Db,
  { staffRole }: DirectoryCaller,
  displayNames: readonly string[],
): Promise<void> {
  const names = displayNames.map((name) => name.toLowerCase());
  const mapped = (await store.allGroupRoles(tx)).filter(({ groupName }) =>
    names.includes(groupName.toLowerCase()),
  );
  const beyond = mapped.find(({ role }) => !mayChangeRole(staffRole, { from: role, to: null }));
  if (beyond !== undefined)
    throw new ScimError(
      403,
      null,
      `The group ${beyond.groupName} has the role ${beyond.role}: only a key of an owner changes it.`,
    );
}

/** One by one, after the group is saved: each of them briefly locks the people who may change roles. */
async function followAll(app: App, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds)
    await app.transact('follow all', (tx, afterCommit) => followGroups(app, tx, userId, afterCommit));
}

async function groupOf(tx: Db, row: DirectoryGroupRow): Promise<DirectoryGroup> {
  const memberIds = (await store.membersOf(tx, [row.id])).get(row.id) ?? [];
  return { displayName: row.displayName, externalId: row.externalId, memberIds };
}

/** Refuses members that the directory has not added. */
async function knownMembers(tx: Db, memberIds: readonly string[]): Promise<string[]> {
  if (memberIds.length > mostMembers)
    throw new ScimError(400, 'tooMany', `A group can have up to ${mostMembers} members.`);
  const known = await store.knownAmong(tx, memberIds);
  const unknownId = memberIds.find((id) => !known.has(id.toLowerCase()));
  if (unknownId !== undefined)
    throw new ScimError(400, 'invalidValue', `There is no person ${unknownId.slice(0, 60)} to be a member.`);
  return [...known];
}

function nameOf({ displayName }: DirectoryGroup): string {
  const name = nameLine.safeParse(displayName);
  if (!name.success || name.data === '')
    throw new ScimError(400, 'invalidValue', 'A group needs a displayName of up to 200 characters.');
  return name.data;
}

const isId = (id: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
const unknown = () => new ScimError(404, null, 'There is no such group.');
const nameTaken = () => new ScimError(409, 'uniqueness', 'A group with this displayName is there already.');

/** Replaces a group. Refuses what `changeGroupOf` refuses. */
export const replaceGroup = (app: App, caller: DirectoryCaller, id: string, sent: DirectoryGroup) =>
  changeGroupOf(app, caller, id, () => sent);
