import { isDeepStrictEqual } from 'node:util';
import { email as emailSchema } from '#contract/access/endpoints.ts';
import { oneLine } from '#contract/units.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { translate } from '../../../platform/messages/translate.ts';
import { namedAccounts, type NamedAccount, accountBehindKey } from '../../identity/queries.ts';
import {
  accountForDirectory,
  nameAccount,
  changeRole,
  suspendAccount,
  endAllSessions,
  unsuspendAccount,
} from '../../identity/service.ts';
import { followGroups } from './follow-groups.ts';
import {
  type AfterCommit,
  type DirectoryCaller,
  requireRightOver,
  requireRightToName,
} from './require-right.ts';
import { changePerson, type DirectoryPerson, type ScimOperation } from './rules/changes.ts';
import { readFilter } from './rules/filter.ts';
import { ScimError } from './rules/scim-error.ts';
import * as store from './store.ts';
import type { DirectoryUserRow, UserFilter } from './store.ts';
import { viewUser, type ScimUser } from './view.ts';

/** A complete person, as a directory sends them. */
export interface SentPerson extends Omit<DirectoryPerson, 'isActive'> {
  /** Null if it was not sent: then it does not change. */
  isActive: boolean | null;
  /** Their email address; empty if none was sent. */
  email: string;
  language: 'en' | 'zh';
}

const nameLine = oneLine(60);

/** One page of people, and their total. Refuses filters other than by equality. */
export async function listUsers(
  { db, env }: App,
  filter: string,
  page: store.Page,
): Promise<{ users: ScimUser[]; total: number }> {
  const { rows, total } = await store.userPage(db, wishOf(filter), page);
  return { users: await view(db, env.publicUrl, rows), total };
}

function wishOf(text: string): UserFilter | null {
  if (text.trim() === '') return null;
  const filter = readFilter(text);
  const { attribute, value } = filter ?? { attribute: '', value: '' };
  if (attribute === 'active' && typeof value === 'boolean') return { isActive: value };
  if (typeof value === 'string') {
    if (attribute === 'username') return { userName: value };
    if (attribute === 'externalid') return { externalId: value };
    if (attribute === 'id') return { id: value };
  }
  throw new ScimError(
    400,
    'invalidFilter',
    'People are found by userName, externalId, id or active, with eq.',
  );
}

/** One person in the directory. */
export async function readUser({ db, env }: App, id: string): Promise<ScimUser> {
  const { rows } = await store.userPage(db, { id }, { offset: 0, size: 1 });
  const [user] = await view(db, env.publicUrl, rows);
  if (user === undefined) throw unknown();
  return user;
}

/** Adds a person: the account with their email address, or a new one. Refuses a userName that is taken. */
export async function createUser(app: App, caller: DirectoryCaller, sent: SentPerson): Promise<ScimUser> {
  const { transact, clock } = app;
  const email = addressOf(sent);
  const names = namesOf(sent);
  const userId = await transact('create user', async (tx, afterCommit) => {
    const taken = await store.findUserName(tx, sent.userName);
    if (taken !== null && taken.removedAt === null) throw nameTaken();
    const account = { email, language: sent.language, ...names };
    const id = taken?.userId ?? (await accountForDirectory(app, tx, account));
    await requireRightOver(tx, caller, id);
    const known = await store.holdUser(tx, id);
    if (known !== null && known.removedAt === null) throw nameTaken();
    const now = clock.now();
    const row = await store.putUser(tx, {
      userId: id,
      userName: sent.userName,
      externalId: sent.externalId,
      isActive: known?.isActive ?? true,
      hasSuspended: known?.hasSuspended ?? false,
      removedAt: null,
      createdAt: now,
      changedAt: now,
    });
    await setActive(app, tx, { row, isActive: sent.isActive ?? true, by: caller }, afterCommit);
    return id;
  });
  return readUser(app, userId);
}

/** Replaces a person (PUT). */
export const replaceUser = (
  app: App,
  caller: DirectoryCaller,
  id: string,
  sent: SentPerson,
): Promise<ScimUser> =>
  change(app, caller, id, ({ isActive }) => ({ ...sent, isActive: sent.isActive ?? isActive }));

/** Changes attributes of a person (PATCH). */
export const patchUser = (
  app: App,
  caller: DirectoryCaller,
  id: string,
  operations: readonly ScimOperation[],
): Promise<ScimUser> => change(app, caller, id, (person) => changePerson(person, operations));

/** Removes a person from the directory: deactivates the account, and keeps what they did in Sameway. */
export async function removeUser(app: App, caller: DirectoryCaller, id: string): Promise<void> {
  const { transact, clock } = app;
  await transact('remove user', async (tx, afterCommit) => {
    const row = await held(tx, id);
    await requireRightOver(tx, caller, row.userId);
    await setActive(app, tx, { row, isActive: false, by: caller }, afterCommit);
    await store.leaveGroups(tx, row.userId);
    await store.updateUser(tx, row.userId, { removedAt: clock.now(), changedAt: clock.now() });
  });
}

async function change(
  app: App,
  caller: DirectoryCaller,
  id: string,
  make: (person: DirectoryPerson) => DirectoryPerson,
): Promise<ScimUser> {
  await app.transact('change provisioned user', async (tx, afterCommit) => {
    const row = await held(tx, id);
    const account = (await namedAccounts(tx, [row.userId])).get(row.userId);
    if (account === undefined) throw unknown();
    const before = personOf(row, account);
    const after = make(before);
    // Directories repeat from time to time what is so already.
    if (isDeepStrictEqual(after, before)) return;
    const taken = await store.findUserName(tx, after.userName);
    if (taken !== null && taken.userId !== row.userId) throw nameTaken();
    await write(app, tx, { row, before, after, by: caller }, afterCommit);
  });
  return readUser(app, id);
}

async function write(
  app: App,
  tx: Db,
  {
    row,
    before,
    after,
    by,
  }: {
    row: DirectoryUserRow;
    before: DirectoryPerson;
    after: DirectoryPerson;
    by: DirectoryCaller;
  },
  afterCommit: AfterCommit,
): Promise<void> {
  const { userName, externalId } = after;
  const names = namesOf(after);
  const isRenamed = !isDeepStrictEqual(names, namesOf(before));
  await (isRenamed ? requireRightToName : requireRightOver)(tx, by, row.userId);
  // Locks roles before the person's row, as every change of a role does.
  await setActive(app, tx, { row, isActive: after.isActive, by }, afterCommit);
  if (isRenamed) await nameAccount(app, tx, row.userId, names);
  await store.updateUser(tx, row.userId, { userName, externalId, changedAt: app.clock.now() });
  await followGroups(app, tx, row.userId, afterCommit);
}

async function held(tx: Db, id: string): Promise<DirectoryUserRow> {
  const row = isId(id) ? await store.holdUser(tx, id) : null;
  if (row === null || row.removedAt !== null) throw unknown();
  return row;
}

const personOf = (row: DirectoryUserRow, { name, firstName, lastName }: NamedAccount): DirectoryPerson => ({
  userName: row.userName,
  externalId: row.externalId,
  givenName: firstName,
  familyName: lastName,
  displayName: name,
  isActive: row.isActive,
});

/** The names of an account: the display name, and first and last name. */
function namesOf({
  displayName,
  givenName,
  familyName,
}: Pick<DirectoryPerson, 'displayName' | 'givenName' | 'familyName'>) {
  const firstName = shortened(givenName);
  const lastName = shortened(familyName);
  const name = shortened(displayName) || `${firstName} ${lastName}`.trim();
  return { name: shortened(name), firstName, lastName };
}

const shortened = (text: string): string => nameLine.parse(text.slice(0, 60));

/** The email address of a new person: the one that was sent, or a userName that is an address. */
function addressOf({ email, userName }: SentPerson): string {
  const parsed = emailSchema.safeParse(email === '' ? userName : email);
  if (!parsed.success)
    throw new ScimError(400, 'invalidValue', 'A person needs an email address, in emails or as userName.');
  return parsed.data;
}

async function view(db: Db, publicUrl: string, rows: readonly DirectoryUserRow[]): Promise<ScimUser[]> {
  const ids = rows.map(({ userId }) => userId);
  const [accounts, groups] = [await namedAccounts(db, ids), await store.groupsOf(db, ids)];
  return rows.flatMap((row) => {
    const account = accounts.get(row.userId);
    if (account === undefined) return [];
    return [viewUser({ row, account, groups: groups.get(row.userId) ?? [] }, publicUrl)];
  });
}

const isId = (id: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
const unknown = () => new ScimError(404, null, 'There is no such person.');
const nameTaken = () => new ScimError(409, 'uniqueness', 'A person with this userName is there already.');

interface Change {
  row: DirectoryUserRow;
  isActive: boolean;
  /** The owner of the key that makes the call. */
  by: DirectoryCaller;
}

/**
 * Activates or deactivates a person, in the caller's transaction. Deactivating ends their role, sessions and
 * API keys at once and cancels their open rides. An owner cannot be deactivated, and a suspension by an admin
 * stays. Refuses with 403 for an owner, and for a role that the key's owner could not take away or give back.
 */
async function setActive(
  app: App,
  tx: Db,
  { row, isActive, by }: Change,
  afterCommit: AfterCommit,
): Promise<DirectoryUserRow> {
  if (row.isActive === isActive) return row;
  if (isActive) await requireRightOver(tx, by, row.userId);
  const hasSuspended = isActive
    ? await letIn(app, tx, { row, by })
    : await keepOut(app, tx, { row, by }, afterCommit);
  const changed = await store.updateUser(tx, row.userId, { isActive, hasSuspended });
  if (isActive) await followGroups(app, tx, row.userId, afterCommit);
  return changed;
}

async function keepOut(
  app: App,
  tx: Db,
  { row: { userId }, by }: Omit<Change, 'isActive'>,
  afterCommit: AfterCommit,
): Promise<boolean> {
  const { clock, audit, outbox, realtime } = app;
  const now = clock.now();
  const account = await accountBehindKey(tx, userId);
  if (account?.staffRole === 'owner')
    throw new ScimError(403, null, 'A directory can’t deactivate an owner of the installation.');
  if (account !== null && account.staffRole !== null)
    await changeRole(tx, { by: { id: by.userId, role: by.staffRole }, personId: userId, to: null }, now);
  await store.setGivenRole(tx, userId, null);
  // The reason that the person reads when they try to sign in.
  const reason = translate(account?.language ?? 'en')('suspended.byDirectory');
  if ((await suspendAccount(tx, userId, now, reason)) === null) return false;
  afterCommit(() =>
    realtime.tell([userId], 'changed', { topic: 'profile', id: userId, news: 'user.suspended' }),
  );
  await endAllSessions(app, tx, userId, afterCommit);
  await audit.note(tx, { adminId: by.userId, action: 'user.suspended', personId: userId, note: 'SCIM' });
  await outbox.emit(tx, 'user.suspended', { userId }, userId);
  return true;
}

async function letIn(
  app: App,
  tx: Db,
  { row: { userId, hasSuspended }, by }: Omit<Change, 'isActive'>,
): Promise<boolean> {
  if (!hasSuspended || (await unsuspendAccount(tx, userId)) === null) return false;
  await app.audit.note(tx, {
    adminId: by.userId,
    action: 'user.unsuspended',
    personId: userId,
    note: 'SCIM',
  });
  return false;
}
