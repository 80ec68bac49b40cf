import { and, asc, count, desc, eq, gt, inArray, isNull, ne, or, sql, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { mostBlockedShown, mostContacts } from '#contract/contacts/endpoints.ts';
import { mostPerPage } from '#contract/units.ts';
import type { Db } from '../../platform/database/db.ts';
import { changesAny, firstRow } from '../../platform/database/one-row.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import type { Erasure } from '../../platform/erasure.ts';
import {
  blocks,
  contactApplications,
  contacts,
  personReports,
  reportedMessages,
  taggedContacts,
  tags,
} from '../../schema/contacts.ts';
import {
  accountsAmong,
  findByNumberHash as findPeopleByNumberHash,
  findPeople as findAccounts,
  holdPerson,
  knowableAmong,
  type FindBy,
  type SaltedNumbers,
} from '../identity/queries.ts';
import type { Standing } from './policy.ts';
import {
  contactsOfPerson,
  isContactOf,
  neitherBlocked,
  type ReportedLine,
  type ReportRow,
} from './queries.ts';

export type ContactRow = typeof contacts.$inferSelect & { tagIds: string[] };
export type ApplicationRow = typeof contactApplications.$inferSelect;
export type TagRow = typeof tags.$inferSelect;
type Origin = ContactRow['origin'];

/** A person's contacts (or one of them), each with the person's own tags on it. */
export async function contactsOf(db: Db, ownerId: string, otherId?: string): Promise<ContactRow[]> {
  const rows = await db
    .select()
    .from(contacts)
    .where(
      and(eq(contacts.ownerId, ownerId), otherId === undefined ? undefined : eq(contacts.otherId, otherId)),
    )
    .limit(mostContacts);
  const tagged = await db
    .select({ tagId: taggedContacts.tagId, userId: taggedContacts.userId })
    .from(taggedContacts)
    .innerJoin(tags, eq(tags.id, taggedContacts.tagId))
    .where(eq(tags.ownerId, ownerId))
    .orderBy(asc(sql`lower(${tags.name})`));
  const tagIds = Map.groupBy(tagged, (row) => row.userId);
  return rows.map((row) => ({
    ...row,
    tagIds: (tagIds.get(row.otherId) ?? []).map((each) => each.tagId),
  }));
}

export async function contactIds(db: Db, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ otherId: contacts.otherId })
    .from(contacts)
    .where(eq(contacts.ownerId, ownerId));
  return rows.map((row) => row.otherId);
}

export async function areContacts(db: Db, a: string, b: string): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(contacts)
    .where(and(eq(contacts.ownerId, a), eq(contacts.otherId, b)));
  return rows.length > 0;
}

/** The pairs of contacts between some people and some others. */
export async function contactsAmong(
  db: Db,
  ownerIds: readonly string[],
  otherIds: readonly string[],
): Promise<{ ownerId: string; otherId: string }[]> {
  if (ownerIds.length === 0 || otherIds.length === 0) return [];
  return db
    .select({ ownerId: contacts.ownerId, otherId: contacts.otherId })
    .from(contacts)
    .where(and(isOneOf(contacts.ownerId, ownerIds), isOneOf(contacts.otherId, otherIds)));
}

/** How many contacts each of the others has in common with each viewer; those with none are left out. */
export async function countInCommon(
  db: Db,
  viewerIds: readonly string[],
  otherIds: readonly string[],
): Promise<{ viewerId: string; otherId: string; size: number }[]> {
  if (viewerIds.length === 0 || otherIds.length === 0) return [];
  const theirs = alias(contacts, 'theirs');
  return db
    .select({ viewerId: contacts.ownerId, otherId: theirs.ownerId, size: count() })
    .from(contacts)
    .innerJoin(theirs, eq(theirs.otherId, contacts.otherId))
    .where(and(isOneOf(contacts.ownerId, viewerIds), isOneOf(theirs.ownerId, otherIds)))
    .groupBy(contacts.ownerId, theirs.ownerId);
}

/** Whether one of two people has as many contacts as one can have. */
export async function isOneFull(tx: Db, a: string, b: string): Promise<boolean> {
  const counts = await Promise.all([a, b].map((id) => tx.$count(contacts, eq(contacts.ownerId, id))));
  return counts.some((each) => each >= mostContacts);
}

/** Inserts a pair of contacts as two rows; an existing row stays unchanged. */
export async function insertPair(
  tx: Db,
  pair: { a: string; b: string; origin: Origin; at: Date },
): Promise<void> {
  const { a, b, origin, at } = pair;
  await tx
    .insert(contacts)
    .values([
      { ownerId: a, otherId: b, origin, createdAt: at },
      { ownerId: b, otherId: a, origin, createdAt: at },
    ])
    .onConflictDoNothing();
}

/** Locks a pair of people until the transaction ends, so that their actions on each other are serialized. */
export async function holdPair(tx: Db, a: string, b: string): Promise<void> {
  const pair = [a, b].toSorted().join(' ');
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${pair}, 7302003))`);
}

/** The viewer's relation to each of the others; leaves out those who have blocked the viewer. */
export async function standings(
  db: Db,
  viewerId: string,
  otherIds: readonly string[],
): Promise<Map<string, Standing>> {
  if (otherIds.length === 0) return new Map();
  const people = accountsAmong(db, otherIds);
  const wait = sql`(select case when a.from_id = ${viewerId} then 'out' else 'in' end from contact_applications a
    where a.status = 'pending' and ((a.from_id = ${viewerId} and a.to_id = ${people.id}) or (a.from_id = ${people.id} and a.to_id = ${viewerId})))`;
  const rows = await db
    .select({
      id: people.id,
      isContact: sql<boolean>`${isContactOf(viewerId, people.id)}`,
      isBlocked: sql<boolean>`exists (select 1 from blocks b where b.blocker_id = ${viewerId} and b.blocked_id = ${people.id})`,
      waiting: sql<'in' | 'out' | null>`${wait}`,
    })
    .from(people)
    .where(
      sql`not exists (select 1 from blocks b where b.blocker_id = ${people.id} and b.blocked_id = ${viewerId})`,
    );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** A condition on people whom the viewer can reach: not the viewer, and neither has blocked the other. */
const isReachableBy = (viewerId: string) => (person: SQLWrapper) =>
  sql`(${person} <> ${viewerId} and ${neitherBlocked(person, viewerId)})`;

/**
 * The ids of people whom the viewer can reach: active accounts, not the viewer, and neither has blocked the
 * other.
 */
export const reachable = (db: Db, viewerId: string, ids: readonly string[]): Promise<Set<string>> =>
  knowableAmong(db, ids, isReachableBy(viewerId));

/**
 * People who can be found by an email, a verified phone number, or words of their name; contacts first, then
 * the nearest names.
 */
export const findPeople = (db: Db, viewerId: string, by: FindBy, most: number): Promise<string[]> =>
  findAccounts(db, by, {
    condition: isReachableBy(viewerId),
    first: sql`${contactsOfPerson(db, viewerId)}`,
    most,
  });

/**
 * People whose verified phone number, salted, has one of the hashes: only those who can be found by phone.
 */
export const findByNumberHash = (
  db: Db,
  viewerId: string,
  book: SaltedNumbers,
): Promise<{ id: string; hash: string }[]> => findPeopleByNumberHash(db, book, isReachableBy(viewerId));

/** The pending application between two people. */
export function waitingBetween(db: Db, a: string, b: string): Promise<ApplicationRow | null> {
  const between = or(
    and(eq(contactApplications.fromId, a), eq(contactApplications.toId, b)),
    and(eq(contactApplications.fromId, b), eq(contactApplications.toId, a)),
  );
  return firstRow(
    db
      .select()
      .from(contactApplications)
      .where(and(between, eq(contactApplications.status, 'pending'))),
  );
}

/** Whether the other person denied an application of this person after an instant. */
export async function wasDenied(db: Db, fromId: string, toId: string, since: Date): Promise<boolean> {
  const denied = and(
    eq(contactApplications.fromId, fromId),
    eq(contactApplications.toId, toId),
    eq(contactApplications.status, 'denied'),
    gt(contactApplications.answeredAt, since),
  );
  return (await db.$count(contactApplications, denied)) > 0;
}

/**
 * Pending applications from and to a person, and their own that were answered since an instant; the newest
 * first.
 */
export async function applicationsOf(
  db: Db,
  personId: string,
  answeredSince: Date,
): Promise<ApplicationRow[]> {
  return db
    .select()
    .from(contactApplications)
    .where(
      or(
        and(
          eq(contactApplications.status, 'pending'),
          or(eq(contactApplications.fromId, personId), eq(contactApplications.toId, personId)),
        ),
        and(
          inArray(contactApplications.status, ['accepted', 'denied']),
          eq(contactApplications.fromId, personId),
          gt(contactApplications.answeredAt, answeredSince),
        ),
      ),
    )
    .orderBy(desc(contactApplications.createdAt))
    .limit(mostPerPage);
}

export const findApplication = (db: Db, id: string): Promise<ApplicationRow | null> =>
  firstRow(db.select().from(contactApplications).where(eq(contactApplications.id, id)));

export async function insertApplication(tx: Db, row: ApplicationRow): Promise<void> {
  await tx.insert(contactApplications).values(row);
}

/** Answers a pending application; null when it was already answered or withdrawn. */
export const settleApplication = (
  tx: Db,
  id: string,
  status: 'accepted' | 'denied',
  at: Date,
): Promise<ApplicationRow | null> =>
  firstRow(
    tx
      .update(contactApplications)
      .set({ status, answeredAt: at })
      .where(and(eq(contactApplications.id, id), eq(contactApplications.status, 'pending')))
      .returning(),
  );

/** Withdraws a person's application to the other; false when none is pending. */
export const withdrawApplication = (tx: Db, fromId: string, toId: string): Promise<boolean> =>
  changesAny(
    tx
      .delete(contactApplications)
      .where(
        and(
          eq(contactApplications.fromId, fromId),
          eq(contactApplications.toId, toId),
          eq(contactApplications.status, 'pending'),
        ),
      ),
  );

/**
 * Ends a contact on both sides, with the tags that each had put on the other; false when they were no
 * contacts.
 */
export async function deletePair(tx: Db, a: string, b: string): Promise<boolean> {
  const rows = await tx
    .delete(contacts)
    .where(
      or(
        and(eq(contacts.ownerId, a), eq(contacts.otherId, b)),
        and(eq(contacts.ownerId, b), eq(contacts.otherId, a)),
      ),
    )
    .returning({ id: contacts.otherId });
  await tx.execute(sql`delete from tagged_contacts t using tags g where g.id = t.tag_id
    and ((g.owner_id = ${a} and t.user_id = ${b}) or (g.owner_id = ${b} and t.user_id = ${a}))`);
  return rows.length > 0;
}

/** Deletes all applications between two people. */
export async function forgetApplications(tx: Db, a: string, b: string): Promise<void> {
  await tx
    .delete(contactApplications)
    .where(
      or(
        and(eq(contactApplications.fromId, a), eq(contactApplications.toId, b)),
        and(eq(contactApplications.fromId, b), eq(contactApplications.toId, a)),
      ),
    );
}

export async function insertBlock(tx: Db, blockerId: string, blockedId: string, at: Date): Promise<void> {
  await tx.insert(blocks).values({ blockerId, blockedId, createdAt: at }).onConflictDoNothing();
}

export const deleteBlock = (tx: Db, blockerId: string, blockedId: string): Promise<boolean> =>
  changesAny(tx.delete(blocks).where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId))));

/** The ids of people whom a person has blocked, the latest first. */
export async function blockedBy(db: Db, blockerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: blocks.blockedId })
    .from(blocks)
    .where(eq(blocks.blockerId, blockerId))
    .orderBy(desc(blocks.createdAt))
    .limit(mostBlockedShown);
  return rows.map((row) => row.id);
}

/**
 * Stores a report of a person, with the chat lines it is about; false if the same person has already reported
 * the same review or message.
 */
export async function insertReport(
  tx: Db,
  row: typeof personReports.$inferInsert,
  lines: readonly ReportedLine[] = [],
): Promise<boolean> {
  const inserted = await tx
    .insert(personReports)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: personReports.id });
  if (inserted.length === 0) return false;
  if (lines.length > 0)
    await tx.insert(reportedMessages).values(lines.map((line) => ({ ...line, reportId: row.id })));
  return true;
}

/** Reopens a closed report; its former outcome remains. */
export async function reopenReport(tx: Db, id: string): Promise<void> {
  await tx.update(personReports).set({ handledAt: null, handledById: null }).where(eq(personReports.id, id));
}

/** Closes an open report; null when it is not open, or is about the person who closes it. */
export function closeReport(
  tx: Db,
  id: string,
  handled: { handledAt: Date; handledById: string | null; outcome: string },
): Promise<ReportRow | null> {
  const { handledById } = handled;
  const isAnothers = handledById === null ? undefined : ne(personReports.subjectId, handledById);
  return firstRow(
    tx
      .update(personReports)
      .set(handled)
      .where(and(eq(personReports.id, id), isNull(personReports.handledAt), isAnothers))
      .returning(),
  );
}

export const updateRemark = (tx: Db, ownerId: string, otherId: string, remark: string): Promise<boolean> =>
  changesAny(
    tx
      .update(contacts)
      .set({ remark })
      .where(and(eq(contacts.ownerId, ownerId), eq(contacts.otherId, otherId))),
  );

/** A person's tags by name, with the number of contacts in each. */
export const tagsOf = (db: Db, ownerId: string): Promise<{ id: string; name: string; size: number }[]> =>
  db
    .select({ id: tags.id, name: tags.name, size: count(taggedContacts.userId) })
    .from(tags)
    .leftJoin(taggedContacts, eq(taggedContacts.tagId, tags.id))
    .where(eq(tags.ownerId, ownerId))
    .groupBy(tags.id)
    .orderBy(asc(sql`lower(${tags.name})`));

/** How many of these people are a person's contacts. */
export const countContacts = (db: Db, ownerId: string, userIds: readonly string[]): Promise<number> =>
  userIds.length === 0
    ? Promise.resolve(0)
    : db.$count(contacts, and(eq(contacts.ownerId, ownerId), inArray(contacts.otherId, [...userIds])));

/**
 * How many tags a person has; locks the person so that no further tag is created until the transaction ends.
 */
export async function holdAndCountTags(tx: Db, ownerId: string): Promise<number> {
  await holdPerson(tx, ownerId);
  return tx.$count(tags, eq(tags.ownerId, ownerId));
}

export const renameTag = (tx: Db, ownerId: string, id: string, name: string): Promise<boolean> =>
  changesAny(
    tx
      .update(tags)
      .set({ name })
      .where(and(eq(tags.ownerId, ownerId), eq(tags.id, id))),
  );

export const deleteTag = (tx: Db, ownerId: string, id: string): Promise<boolean> =>
  changesAny(tx.delete(tags).where(and(eq(tags.ownerId, ownerId), eq(tags.id, id))));

/** Adds to a tag those of the people who are its owner's contacts now. */
export async function fillTag(
  tx: Db,
  tagId: string,
  ownerId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return;
  const present = await tx
    .select({ userId: contacts.otherId })
    .from(contacts)
    .where(and(eq(contacts.ownerId, ownerId), inArray(contacts.otherId, [...userIds])))
    .for('share');
  if (present.length === 0) return;
  await tx
    .insert(taggedContacts)
    .values(present.map(({ userId }) => ({ tagId, userId })))
    .onConflictDoNothing();
}

export async function emptyTag(tx: Db, tagId: string, userIds: readonly string[]): Promise<void> {
  await tx
    .delete(taggedContacts)
    .where(and(eq(taggedContacts.tagId, tagId), inArray(taggedContacts.userId, [...userIds])));
}

/** Sets a contact's tags to exactly these tags of its owner. */
export async function retag(
  tx: Db,
  ownerId: string,
  otherId: string,
  tagIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`delete from tagged_contacts t using tags g
    where g.id = t.tag_id and g.owner_id = ${ownerId} and t.user_id = ${otherId}`);
  if (tagIds.length > 0)
    await tx.insert(taggedContacts).values(tagIds.map((tagId) => ({ tagId, userId: otherId })));
}

export async function insertTag(tx: Db, tag: TagRow): Promise<void> {
  await tx.insert(tags).values(tag);
}

export const erasure = {
  contacts: async (tx, personId) => {
    await tx.delete(contacts).where(eq(contacts.ownerId, personId));
    // Others' notes about the person belong to the others, but are deleted too.
    await tx.delete(contacts).where(eq(contacts.otherId, personId));
  },
  contact_applications: (tx, personId) =>
    tx
      .delete(contactApplications)
      .where(or(eq(contactApplications.fromId, personId), eq(contactApplications.toId, personId))),
  tagged_contacts: (tx, personId) => tx.delete(taggedContacts).where(eq(taggedContacts.userId, personId)),
  tags: (tx, personId) => tx.delete(tags).where(eq(tags.ownerId, personId)),
  blocks: async (tx, personId) => {
    await tx.delete(blocks).where(eq(blocks.blockerId, personId));
    await tx.delete(blocks).where(eq(blocks.blockedId, personId));
  },
  person_reports: async (tx, personId) => {
    await tx.delete(personReports).where(eq(personReports.reporterId, personId));
    await tx.delete(personReports).where(eq(personReports.subjectId, personId));
    await tx.update(personReports).set({ handledById: null }).where(eq(personReports.handledById, personId));
  },
  // Erases their lines around another person's reported message, as from the room.
  reported_messages: (tx, personId) =>
    tx
      .update(reportedMessages)
      .set({ text: '', senderId: null, pictureId: null })
      .where(eq(reportedMessages.senderId, personId)),
} satisfies Erasure;
