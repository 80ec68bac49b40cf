import { and, asc, count, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { StaffRole } from '#contract/admin/roles.ts';
import { mostGroupRoles, mostGroupsShown } from '#contract/connect/directory.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import {
  directoryGroups,
  directoryMembers,
  directoryRoles,
  directoryUsers,
  groupRoles,
  signInGroups,
} from '../../../schema/connect.ts';

export type DirectoryUserRow = typeof directoryUsers.$inferSelect;
export type DirectoryGroupRow = typeof directoryGroups.$inferSelect;
export type GroupRoleRow = typeof groupRoles.$inferSelect;

/** A page as in RFC 7644, but counted from 0. */
export interface Page {
  offset: number;
  size: number;
}

export type UserFilter =
  | { userName: string }
  | { externalId: string }
  | { id: string }
  | { isActive: boolean };

const isShown = isNull(directoryUsers.removedAt);

function wishedUsers(wish: UserFilter | null): SQL | undefined {
  if (wish === null) return isShown;
  if ('userName' in wish)
    return and(isShown, sql`lower(${directoryUsers.userName}) = ${wish.userName.toLowerCase()}`);
  if ('externalId' in wish) return and(isShown, eq(directoryUsers.externalId, wish.externalId));
  if ('id' in wish) return and(isShown, sql`${directoryUsers.userId}::text = ${wish.id}`);
  return and(isShown, eq(directoryUsers.isActive, wish.isActive));
}

export async function userPage(
  db: Db,
  wish: UserFilter | null,
  { offset, size }: Page,
): Promise<{ rows: DirectoryUserRow[]; total: number }> {
  const where = wishedUsers(wish);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(directoryUsers)
      .where(where)
      .orderBy(asc(directoryUsers.createdAt), asc(directoryUsers.userId))
      .offset(offset)
      .limit(size),
    db.$count(directoryUsers, where),
  ]);
  return { rows, total };
}

/** Locks the row of a person in the directory until the transaction ends; removed ones, too. */
export const holdUser = (tx: Db, userId: string): Promise<DirectoryUserRow | null> =>
  firstRow(tx.select().from(directoryUsers).where(eq(directoryUsers.userId, userId)).for('update'));

/** The person with this userName, among current and removed ones. */
export const findUserName = (db: Db, userName: string): Promise<DirectoryUserRow | null> =>
  firstRow(
    db
      .select()
      .from(directoryUsers)
      .where(sql`lower(${directoryUsers.userName}) = ${userName.toLowerCase()}`),
  );

/** Saves a person as the directory sent them. */
export async function putUser(tx: Db, row: typeof directoryUsers.$inferInsert): Promise<DirectoryUserRow> {
  const { userName, externalId, isActive, hasSuspended, removedAt, changedAt } = row;
  const set = { userName, externalId, isActive, hasSuspended, removedAt, changedAt };
  const [written] = await tx
    .insert(directoryUsers)
    .values(row)
    .onConflictDoUpdate({ target: directoryUsers.userId, set })
    .returning();
  return written!;
}

export async function updateUser(
  tx: Db,
  userId: string,
  set: Partial<DirectoryUserRow>,
): Promise<DirectoryUserRow> {
  const [row] = await tx.update(directoryUsers).set(set).where(eq(directoryUsers.userId, userId)).returning();
  return row!;
}

/** Of these ids, those of people whom the directory knows. */
export async function knownAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: directoryUsers.userId })
    .from(directoryUsers)
    .where(and(isShown, sql`${directoryUsers.userId}::text = any(${sql.param([...ids])}::text[])`));
  return new Set(rows.map(({ id }) => id));
}

export async function groupPage(
  db: Db,
  wish: { displayName: string } | { externalId: string } | null,
  { offset, size }: Page,
): Promise<{ rows: DirectoryGroupRow[]; total: number }> {
  const where =
    wish === null
      ? undefined
      : 'displayName' in wish
        ? sql`lower(${directoryGroups.displayName}) = ${wish.displayName.toLowerCase()}`
        : eq(directoryGroups.externalId, wish.externalId);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(directoryGroups)
      .where(where)
      .orderBy(asc(directoryGroups.createdAt), asc(directoryGroups.id))
      .offset(offset)
      .limit(size),
    db.$count(directoryGroups, where),
  ]);
  return { rows, total };
}

export const findGroup = (db: Db, id: string): Promise<DirectoryGroupRow | null> =>
  firstRow(db.select().from(directoryGroups).where(eq(directoryGroups.id, id)));

/** The same, and locks the row until the transaction ends. */
export const holdGroup = (tx: Db, id: string): Promise<DirectoryGroupRow | null> =>
  firstRow(tx.select().from(directoryGroups).where(eq(directoryGroups.id, id)).for('update'));

/** Inserts a group; null if its name is taken. */
export const insertGroup = (
  tx: Db,
  row: typeof directoryGroups.$inferInsert,
): Promise<DirectoryGroupRow | null> =>
  firstRow(tx.insert(directoryGroups).values(row).onConflictDoNothing().returning());

export async function updateGroup(
  tx: Db,
  id: string,
  set: Partial<DirectoryGroupRow>,
): Promise<DirectoryGroupRow> {
  const [row] = await tx.update(directoryGroups).set(set).where(eq(directoryGroups.id, id)).returning();
  return row!;
}

export async function deleteGroup(tx: Db, id: string): Promise<void> {
  await tx.delete(directoryGroups).where(eq(directoryGroups.id, id));
}

export async function membersOf(db: Db, groupIds: readonly string[]): Promise<Map<string, string[]>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(directoryMembers)
    .where(inArray(directoryMembers.groupId, [...groupIds]))
    .orderBy(asc(directoryMembers.userId));
  const byGroup = Map.groupBy(rows, ({ groupId }) => groupId);
  return new Map([...byGroup].map(([id, all]) => [id, all.map(({ userId }) => userId)]));
}

/** How many members each of some groups has; those without any are left out. */
export async function sizesOf(db: Db, groupIds: readonly string[]): Promise<Map<string, number>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db
    .select({ id: directoryMembers.groupId, size: count() })
    .from(directoryMembers)
    .where(inArray(directoryMembers.groupId, [...groupIds]))
    .groupBy(directoryMembers.groupId);
  return new Map(rows.map(({ id, size }) => [id, size]));
}

export async function setMembers(tx: Db, groupId: string, userIds: readonly string[]): Promise<void> {
  const ids = sql.param([...userIds]);
  await tx
    .delete(directoryMembers)
    .where(
      and(eq(directoryMembers.groupId, groupId), sql`${directoryMembers.userId} <> all(${ids}::uuid[])`),
    );
  if (userIds.length === 0) return;
  await tx.execute(sql`insert into ${directoryMembers} (group_id, user_id)
    select ${groupId}::uuid, id from unnest(${ids}::uuid[]) as id on conflict do nothing`);
}

/** The groups of people in the directory, by person. */
export async function groupsOf(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, { id: string; displayName: string }[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({
      userId: directoryMembers.userId,
      id: directoryGroups.id,
      displayName: directoryGroups.displayName,
    })
    .from(directoryMembers)
    .innerJoin(directoryGroups, eq(directoryGroups.id, directoryMembers.groupId))
    .where(inArray(directoryMembers.userId, [...userIds]))
    .orderBy(asc(directoryGroups.displayName));
  return Map.groupBy(rows, ({ userId }) => userId);
}

export async function leaveGroups(tx: Db, userId: string): Promise<void> {
  await tx.delete(directoryMembers).where(eq(directoryMembers.userId, userId));
}

/** Stores the groups that a provider named at a person's sign-in. */
export async function setSignInGroups(
  tx: Db,
  { userId, issuer }: { userId: string; issuer: string },
  names: readonly string[],
): Promise<void> {
  await tx.delete(signInGroups).where(and(eq(signInGroups.userId, userId), eq(signInGroups.issuer, issuer)));
  if (names.length > 0)
    await tx
      .insert(signInGroups)
      .values(names.map((name) => ({ userId, issuer, name })))
      .onConflictDoNothing();
}

/** The names of all groups of a person, from the directory and from sign-in providers. */
export async function groupNamesOf(tx: Db, userId: string): Promise<string[]> {
  const found = await tx.execute<{ name: string }>(sql`
    select g.display_name as name from ${directoryMembers} m join ${directoryGroups} g on g.id = m.group_id
      join ${directoryUsers} u on u.user_id = m.user_id and u.removed_at is null
      where m.user_id = ${userId}
    union select name from ${signInGroups} where user_id = ${userId}`);
  return found.rows.map(({ name }) => name);
}

export const allGroupRoles = (db: Db): Promise<GroupRoleRow[]> =>
  db
    .select()
    .from(groupRoles)
    .orderBy(asc(sql`lower(${groupRoles.groupName})`))
    .limit(mostGroupRoles);

/** Locks the roles of groups against changes until the transaction ends. */
export async function holdGroupRoles(tx: Db): Promise<GroupRoleRow[]> {
  await tx.execute(sql`lock table ${groupRoles} in share row exclusive mode`);
  return allGroupRoles(tx);
}

/** Sets the role of a group's members; null takes it away. */
export async function setGroupRole(
  tx: Db,
  { id, groupName, createdAt }: Pick<GroupRoleRow, 'id' | 'groupName' | 'createdAt'>,
  role: StaffRole | null,
): Promise<void> {
  await tx.delete(groupRoles).where(sql`lower(${groupRoles.groupName}) = ${groupName.toLowerCase()}`);
  if (role !== null) await tx.insert(groupRoles).values({ id, groupName, createdAt, role });
}

/** Everyone in a group of this name, from the directory or a provider. */
export async function peopleInGroup(db: Db, groupName: string): Promise<string[]> {
  const name = groupName.toLowerCase();
  const found = await db.execute<{ id: string }>(sql`
    select m.user_id as id from ${directoryMembers} m join ${directoryGroups} g on g.id = m.group_id
      where lower(g.display_name) = ${name}
    union select user_id from ${signInGroups} where lower(name) = ${name}`);
  return found.rows.map(({ id }) => id);
}

/** The role that a person's groups gave them; null for none. */
export async function givenRole(tx: Db, userId: string): Promise<StaffRole | null> {
  const [row] = await tx
    .select({ role: directoryRoles.role })
    .from(directoryRoles)
    .where(eq(directoryRoles.userId, userId));
  return row?.role ?? null;
}

export async function setGivenRole(tx: Db, userId: string, role: StaffRole | null): Promise<void> {
  if (role === null) await tx.delete(directoryRoles).where(eq(directoryRoles.userId, userId));
  else
    await tx
      .insert(directoryRoles)
      .values({ userId, role })
      .onConflictDoUpdate({ target: directoryRoles.userId, set: { role } });
}

/** The numbers of people and groups. */
export async function figures(db: Db) {
  const [people, active, groups] = await Promise.all([
    db.$count(directoryUsers, isShown),
    db.$count(directoryUsers, and(isShown, eq(directoryUsers.isActive, true))),
    db
      .select({
        name: directoryGroups.displayName,
        members: sql<number>`count(${directoryMembers.userId})::int`.as('members'),
      })
      .from(directoryGroups)
      .leftJoin(directoryMembers, eq(directoryMembers.groupId, directoryGroups.id))
      .groupBy(directoryGroups.id)
      .orderBy(desc(sql`members`), asc(directoryGroups.displayName))
      .limit(mostGroupsShown),
  ]);
  return { people, active, groups };
}

export const erasure = {
  directory_users: (tx, personId) => tx.delete(directoryUsers).where(eq(directoryUsers.userId, personId)),
  directory_members: (tx, personId) =>
    tx.delete(directoryMembers).where(eq(directoryMembers.userId, personId)),
  sign_in_groups: (tx, personId) => tx.delete(signInGroups).where(eq(signInGroups.userId, personId)),
  directory_roles: (tx, personId) => tx.delete(directoryRoles).where(eq(directoryRoles.userId, personId)),
} satisfies Erasure;
