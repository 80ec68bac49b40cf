import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  ne,
} from 'drizzle-orm';
import { isPermitted, type Permission, type StaffRole } from '#contract/admin/roles.ts';
import { pageOfRows } from '../../platform/database/count-up-to.ts';
import { namedStatement, type Db, type NamedStatement } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import { figure, type FigureSlot } from '../../platform/database/figures.ts';
import { findsRow } from '../../platform/database/finds-row.ts';
import { sessions, users } from '../../schema/identity.ts';
import type { IdentityPorts } from './ports.ts';
import { isOfStaff, type UserRow } from './store.ts';

type LicenseStatusOf = IdentityPorts['licenseStatusOf'];

export { isAdmin } from './rules/staff-role.ts';
export type { UserRow } from './store.ts';

/** A condition on a person that another feature adds, by the column or value that names the person. */
type PersonCondition = (person: SQLWrapper) => SQL | undefined;

/** True for a person whose account is not suspended. */
export const isActive = (person: SQLWrapper): SQL =>
  sql`not exists (select 1 from users u where u.id = ${person} and u.suspended_at is not null)`;

/** True for a person who takes part: not suspended, not deleted and no deletion pending. */
export const isTakingPart = (person: SQLWrapper): SQL =>
  sql`exists (select 1 from users u where u.id = ${person}
    and u.suspended_at is null and u.deletion_due_at is null and u.deleted_at is null)`;

/** True for a person who has not asked for their account to be deleted. */
export const isStaying = (person: SQLWrapper): SQL =>
  sql`not ${findsRow(sql`from users u where u.id = ${person} and u.deletion_due_at is not null`)}`;

/** True for two people whose profiles both say female. */
export const areWomen = (a: SQLWrapper | string, b: SQLWrapper | string): SQL =>
  sql`not exists (select 1 from users u where u.id in (${a}, ${b}) and u.gender <> 'female')`;

/** The display name of a person; null where there is no such account. */
export const nameOfPerson = (person: SQLWrapper): SQL =>
  sql`(select u.name from users u where u.id = ${person})`;

/** True for a person whose phone number is verified; null where there is no such account. */
export const hasVerifiedPhone = (person: SQLWrapper): SQL =>
  sql`(select u.phone_verified_at is not null from users u where u.id = ${person})`;

/** True for a person with a confirmed email address of this domain. */
export const isOfCommunity = (personId: string, domain: SQLWrapper): SQL =>
  sql`exists (select 1 from users u where u.id = ${personId} and u.email_verified_at is not null
    and lower(split_part(u.email, '@', 2)) = ${domain})`;

/** True where an account with this id exists, in any state. */
export const hasAccount = (person: SQLWrapper): SQL =>
  sql`exists (select 1 from users u where u.id = ${person})`;

/** True for an email address or phone number of a person on the team. */
export const isStaffAddress = (address: SQLWrapper): SQL =>
  sql`exists (select 1 from ${users} where ${isOfStaff} and (${users.email} = ${address} or ${users.phone} = ${address}))`;

/** True for a family of sessions with an open one: the person has not signed out. */
export const isSignedIn = (family: SQLWrapper, now: Date | Placeholder): SQL =>
  findsRow(sql`from ${sessions} where ${sessions.family} = ${family}
    and ${sessions.endedAt} is null and ${sessions.refreshExpiresAt} > ${now instanceof Date ? now.toISOString() : now}`);

/**
 * Locks a person until the transaction ends, so that rules such as "at most ten per person" hold. Other
 * transactions can still write rows that refer to the person.
 */
export async function holdPerson(tx: Db, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
}

/**
 * People as JSON, one `PersonRow` each, for a statement that reads other rows too.
 * @param ids an array of their ids
 */
export const peopleAsJson = (ids: SQL, licenseStatusOf: LicenseStatusOf): SQL => sql`
  (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar,
    'ratingSum', u.rating_sum, 'ratingCount', u.rating_count, 'completedRides', u.completed_rides,
    'phone', u.phone, 'phoneVerifiedAt', u.phone_verified_at, 'phoneSeenBy', u.phone_seen_by, 'email', u.email,
    'preferContactWith', u.prefer_contact_with, 'language', u.language,
    'isSuspended', u.suspended_at is not null, 'license', ${licenseStatusOf(sql`u.id`)})), '[]')
  from users u where u.id = any(${ids}))`;

/** Reads people as others see them with their contact details, by a statement whose text is made once. */
export const readingPeople = (licenseStatusOf: LicenseStatusOf): NamedStatement =>
  namedStatement(
    sql`select ${peopleAsJson(sql`${sql.placeholder('ids')}::uuid[]`, licenseStatusOf)} as people`,
  );

/** The facts that decide whether a person may ride with another one. */
export interface RiderFacts {
  id: string;
  isSuspended: boolean;
  /** Whether their profile says female. */
  isWoman: boolean;
}

/** The `RiderFacts` of some people as a scalar of JSON, for a statement that reads other things too. */
export const riderFactsAsJson = (ids: SQL): SQL => sql`
  (select coalesce(json_agg(json_build_object('id', u.id, 'isSuspended', u.suspended_at is not null,
    'isWoman', u.gender = 'female')), '[]') from users u where u.id = any(${ids}))`;

/** Whether none of these people is suspended. */
export async function areActive(db: Db, ids: readonly string[]): Promise<boolean> {
  return (await db.$count(users, and(inArray(users.id, [...ids]), isNotNull(users.suspendedAt)))) === 0;
}

/** Whether the profiles of two people both say female. */
export async function areBothWomen(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await db.execute<{ are: boolean }>(
    sql`select ${areWomen(sql`${a}::uuid`, sql`${b}::uuid`)} as are`,
  );
  return rows[0]?.are === true;
}

/** Whether there is any account at all. */
export async function hasPeople(db: Db): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** An account's password hash; null where there is no such account. */
export async function passwordHashOf(db: Db, email: string): Promise<string | null> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, email));
  return row?.passwordHash ?? null;
}

/** The email addresses of people, by id. */
export async function emailsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const names = await fullNamesOf(db, ids);
  return new Map([...names].map(([id, { email }]) => [id, email]));
}

/** People's legal names and email addresses, by id. */
export async function fullNamesOf(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { firstName: string; lastName: string; email: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

/** An account as a directory sees it. */
export type NamedAccount = Pick<UserRow, 'email' | 'name' | 'firstName' | 'lastName' | 'language'>;

/** Accounts that are not deleted, by id. */
export async function namedAccounts(db: Db, ids: readonly string[]): Promise<Map<string, NamedAccount>> {
  if (ids.length === 0) return new Map();
  const { id, email, name, firstName, lastName, language } = users;
  const rows = await db
    .select({ id, email, name, firstName, lastName, language })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt)));
  return new Map(rows.map(({ id: userId, ...account }) => [userId, account]));
}

/** The display names of the people whose ids a subquery returns. */
export async function namesAmong(db: Db, ids: SQLWrapper): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(sql`${users.id} = any(array${ids})`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A person's phone number and who may see it; null where it is not verified. */
export const provedPhoneOf = (
  db: Db,
  id: string,
): Promise<{ phone: string; phoneSeenBy: 'nobody' | 'joined' | 'contacts' } | null> =>
  firstRow(
    db
      .select({ phone: users.phone, phoneSeenBy: users.phoneSeenBy })
      .from(users)
      .where(and(eq(users.id, id), isNotNull(users.phoneVerifiedAt))),
  );

/** A person's favorite topics, in their own words. */
export async function interestsOf(db: Db, id: string): Promise<string> {
  const [row] = await db.select({ interests: users.interests }).from(users).where(eq(users.id, id));
  return row?.interests ?? '';
}

/** By what a person can be found, and the deletion dates of their account. */
export type PrivacyRow = Pick<
  UserRow,
  'foundByEmail' | 'foundByPhone' | 'foundByName' | 'phoneSeenBy' | 'deletionDueAt' | 'passwordHash'
>;

export function privacyOf(db: Db, userId: string): Promise<PrivacyRow | null> {
  const { foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash } = users;
  return firstRow(
    db
      .select({ foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash })
      .from(users)
      .where(eq(users.id, userId)),
  );
}

/** A person's account without the password, for their export; empty where there is none. */
export async function accountOf(db: Db, userId: string): Promise<unknown[]> {
  const account = await db.execute<{ row: unknown }>(
    sql`select to_jsonb(u) - 'password_hash' as row from users u where id = ${userId}`,
  );
  return account.rows.map(({ row }) => row);
}

export interface KeyAccount {
  email: string;
  language: 'en' | 'zh';
  staffRole: StaffRole | null;
  isSuspended: boolean;
}

/** The data of the account that an API key acts for; null if it no longer exists. */
export async function accountBehindKey(db: Db, userId: string): Promise<KeyAccount | null> {
  const { email, language, staffRole, suspendedAt } = users;
  const [row] = await db
    .select({ email, language, staffRole, suspendedAt })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (row === undefined) return null;
  const isSuspended = row.suspendedAt !== null;
  return { email: row.email, language: row.language, staffRole: row.staffRole, isSuspended };
}

/** People on the team whose role has a permission: their ids, email addresses and languages. */
export async function staffWith(
  db: Db,
  permission: Permission,
): Promise<{ id: string; email: string; language: 'en' | 'zh' }[]> {
  const { id, email, language, staffRole } = users;
  const rows = await db
    .select({ id, email, language, staffRole })
    .from(users)
    .where(and(isOfStaff, isNull(users.deletedAt)));
  return rows
    .filter((row) => isPermitted(row.staffRole, permission))
    .map((row) => ({ id: row.id, email: row.email, language: row.language }));
}

/** Everyone on the team with their role, longest-serving first. */
export async function staff(db: Db): Promise<{ email: string; name: string; role: StaffRole }[]> {
  const rows = await db
    .select()
    .from(users)
    .where(and(isOfStaff, isNull(users.deletedAt)))
    .orderBy(users.createdAt, users.id);
  return rows.flatMap((row) => {
    const role = row.staffRole;
    return role === null ? [] : [{ email: row.email, name: row.name, role }];
  });
}

/** The ids of people with these email addresses or phone numbers. */
export async function peopleAt(db: Db, recipients: readonly string[]): Promise<string[]> {
  const those = recipients.filter((each) => each !== '');
  if (those.length === 0) return [];
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(or(inArray(users.email, those), and(inArray(users.phone, those), ne(users.phone, sql`''`))));
  return rows.map(({ id }) => id);
}

/** The sign-in (family) that a session belongs to. */
export async function familyOf(db: Db, sessionId: string): Promise<string | null> {
  const [row] = await db.select({ family: sessions.family }).from(sessions).where(eq(sessions.id, sessionId));
  return row?.family ?? null;
}

/** Accounts with these ids, as a subquery to join. */
export const accountsAmong = (db: Db, ids: readonly string[]) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...ids]))
    .as('accounts');

/** Accounts that others can get to know: complete, not suspended, not deleted and no deletion pending. */
const isKnowable = sql`${users.profileCompletedAt} is not null and ${users.suspendedAt} is null and ${users.deletedAt} is null
  and ${users.deletionDueAt} is null`;

/** The ids of these people whom others can get to know, and who meet a condition. */
export async function knowableAmong(
  db: Db,
  ids: readonly string[],
  condition: PersonCondition,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isKnowable, condition(users.id)));
  return new Set(rows.map((row) => row.id));
}

/** The terms of a search for people: an email, a verified phone number, or words of their name. */
export type FindBy = { email: string } | { phone: string } | { name: string };

/**
 * People who allow this kind of search, whom others can get to know, and who meet a condition; nearest names
 * first.
 * @param of.first a subquery of people who are listed before all others.
 */
export async function findPeople(
  db: Db,
  by: FindBy,
  of: { condition: PersonCondition; first: SQL; most: number },
): Promise<string[]> {
  if ('name' in by) return findByName(db, by.name.toLowerCase(), of);
  const found =
    'email' in by
      ? sql`${users.foundByEmail} and ${users.email} = ${by.email}`
      : sql`${users.foundByPhone} and ${users.phoneVerifiedAt} is not null and ${users.phone} = ${by.phone}`;
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(found, isKnowable, of.condition(users.id)))
    .orderBy(users.id)
    .limit(of.most);
  return rows.map((row) => row.id);
}

/** Maximum names with a text that are sorted; of a more common text, only this many are read. */
const mostNames = 300;

/**
 * Those to be listed first, then names that begin with the text, then those that contain it. Each kind is
 * found by an index, and no further than it is shown.
 */
async function findByName(
  db: Db,
  name: string,
  { condition, first, most }: { condition: PersonCondition; first: SQL; most: number },
): Promise<string[]> {
  const lower = sql`lower(${users.name})`;
  // As `users_name` has it.
  const inC = sql`lower(${users.name}) collate "C"`;
  const order = sql`${lower} = ${name} desc, position(${name} in ${lower}), ${lower}, ${users.id}`;
  const found = new Set<string>();
  const isShown = sql`${users.foundByName} and ${isKnowable}`;
  const add = async (where: SQL, by: SQL = sql``, among: SQL = sql`${users}`) => {
    if (found.size >= most) return;
    const meets = and(where, condition(users.id));
    const rows = await db.execute<{ id: string }>(sql`
      select id from (select ${users.id}, ${users.name} from ${among} where ${meets} ${by} limit ${mostNames}) users
      order by ${order} limit ${most}`);
    for (const { id } of rows.rows) found.add(id);
  };
  const contains = sql`${lower} like ${containing(name)}`;
  // The statement finds these people one by one in `users_known`, and compares the text afterwards: otherwise
  // PostgreSQL may read every person whose name contains the text first.
  const those = sql`(select ${users.id}, ${users.name} from ${users}
    where ${isShown} and ${users.id} = any(array${first}) offset 0) users`;
  await add(contains, sql``, those);
  const begins = sql`${inC} like ${`${literally(name)}%`}`;
  await add(sql`${isShown} and ${begins}`, sql`order by ${inC}, ${users.id}`);
  await add(sql`${isShown} and ${contains}`);
  return [...found].slice(0, most);
}

/** People who can be found by their verified phone number: as the index `users_findable_group` has it. */
const isFindableByPhone = sql`${users.foundByPhone} and ${users.phoneVerifiedAt} is not null and ${users.phone} <> '' and ${isKnowable}`;

/** The group that a phone number falls into: as the index `users_findable_group` has it. */
const numberGroup = sql`(get_byte(sha256(decode(replace(${users.phone}, '\\', ''), 'escape')), 0) * 256 + get_byte(sha256(decode(replace(${users.phone}, '\\', ''), 'escape')), 1))`;

/** Phone numbers that only their salted hashes tell. */
export interface SaltedNumbers {
  salt: string;
  /** SHA-256 of salt and E.164 number, base64url. */
  hashes: readonly string[];
  /** The first two bytes of each number's own SHA-256, in any order. */
  groups: readonly number[];
}

/**
 * Finds people by the salted hashes of their verified phone numbers, if they allow that and meet a condition.
 * It reads the numbers of those in the groups from an index alone.
 */
export async function findByNumberHash(
  db: Db,
  { salt, hashes, groups }: SaltedNumbers,
  condition: PersonCondition,
): Promise<{ id: string; hash: string }[]> {
  const digest = sql<Buffer>`sha256(convert_to(${salt}::text || ${users.phone}, 'UTF8'))`;
  const digests = hashes.map((hash) => Buffer.from(hash, 'base64url'));
  const rows = await db
    .select({ id: users.id, digest })
    .from(users)
    .where(
      and(
        isFindableByPhone,
        sql`${numberGroup} = any(${sql.param(groups)}::int[])`,
        sql`${digest} = any(${sql.param(digests)}::bytea[])`,
        condition(users.id),
      ),
    );
  const hashOf = new Map(digests.map((bytes, at) => [bytes.toString('hex'), hashes[at]!]));
  return rows.map((row) => ({ id: row.id, hash: hashOf.get(row.digest.toString('hex'))! }));
}

/** A text in which LIKE finds no wildcards. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** A LIKE pattern that contains the text literally. */
const containing = (text: string): string => `%${literally(text)}%`;

/**
 * The searchable text of an account, as its index has it; no text that is typed on one line spans two of its
 * lines.
 */
const accountText = sql`lower(${users.name} || E'\\n' || ${users.firstName} || ' ' || ${users.lastName} || E'\\n' || ${users.email} || E'\\n' || ${users.phone})`;

/**
 * Accounts that are not deleted, by name, email or phone; the newest first. They are counted as far as is
 * near the page.
 */
export async function accountPage(
  db: Db,
  of: { text: string; only: 'all' | 'suspended' | 'admins'; offset: number; size: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const where = and(
    isNull(users.deletedAt),
    of.only === 'suspended' ? isNotNull(users.suspendedAt) : undefined,
    of.only === 'admins' ? isOfStaff : undefined,
    of.text === '' ? undefined : sql`${accountText} like ${containing(of.text.toLowerCase())}`,
  );
  return pageOfRows(db, users, { where, order: [desc(users.createdAt), desc(users.id)] }, of);
}

/** An account that is not deleted. */
export const findAccount = (db: Db, id: string): Promise<UserRow | null> =>
  firstRow(
    db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt))),
  );

/** The id of the account with an email address, that is not deleted; null where there is none. */
export async function accountIdOf(db: Db, email: string): Promise<string | null> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email.trim().toLowerCase()), isNull(users.deletedAt)));
  return row?.id ?? null;
}

/** The number of accounts that are not deleted, as an SQL value. */
export const accountCount = sql`(select count(*) from users where deleted_at is null)`;

/** The number of suspended people, as an SQL value. */
export const suspendedCount = sql`(select count(*) from users where deleted_at is null and suspended_at is not null)`;

/** How many people signed up in a slot, and how many accounts were deleted in it. */
export const peopleFigures = (slot: FigureSlot): SQL[] => {
  const value = sql`count(*)`;
  return [
    figure(slot, { name: 'people', value, at: sql`created_at`, from: sql`users where true` }),
    figure(slot, {
      name: 'peopleGone',
      value,
      at: sql`deleted_at`,
      from: sql`users where deleted_at is not null`,
    }),
  ];
};

/** When the first account was made; null where there is none. */
export async function firstAccount(db: Db): Promise<Date | null> {
  const [row] = await db.select({ at: users.createdAt }).from(users).orderBy(users.createdAt).limit(1);
  return row?.at ?? null;
}
