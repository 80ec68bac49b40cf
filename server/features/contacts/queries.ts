import { and, count, desc, eq, inArray, isNull, ne, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { countUpTo, pageOfRows } from '../../platform/database/count-up-to.ts';
import type { Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import { findsRow } from '../../platform/database/finds-row.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import { blocks, contacts, personReports, reportedMessages, tags } from '../../schema/contacts.ts';

export type ReportRow = typeof personReports.$inferSelect;
/** A chat line that is stored with a report. */
export type ReportedLine = Omit<typeof reportedMessages.$inferSelect, 'reportId'>;

/**
 * True for two people of whom neither has blocked the other. Reads each direction by the primary key: for
 * both in one condition, PostgreSQL reads all blocks of one person again for each of the others.
 */
export const neitherBlocked = (a: SQLWrapper | string, b: SQLWrapper | string): SQL =>
  sql`(not ${isBlockedBy(a, b)} and not ${isBlockedBy(b, a)})`;

const isBlockedBy = (blocker: SQLWrapper | string, blocked: SQLWrapper | string): SQL =>
  findsRow(sql`from blocks b where b.blocker_id = ${blocker} and b.blocked_id = ${blocked}`);

/**
 * Every block among these people, as a JSON array of `[blocker, blocked]` ids.
 * @param people an array of ids
 */
export const blocksAmong = (people: SQL): SQL => sql`
  (select coalesce(json_agg(json_build_array(b.blocker_id, b.blocked_id)), '[]') from blocks b
    where b.blocker_id = any(${people}) and b.blocked_id = any(${people}))`;

/** True for a person who is a contact of another. */
export const isContactOf = (owner: SQLWrapper | string, person: SQLWrapper | string): SQL =>
  findsRow(sql`from contacts c where c.owner_id = ${owner} and c.other_id = ${person}`);

/** True for a person who has one of these tags. */
export const isTagged = (tagIds: SQLWrapper, person: SQLWrapper | string): SQL =>
  findsRow(sql`from tagged_contacts t where t.tag_id = any(${tagIds}) and t.user_id = ${person}`);

/** A person's contacts, as a subquery of ids. */
export const contactsOfPerson = (db: Db, ownerId: string) =>
  db.select({ id: contacts.otherId }).from(contacts).where(eq(contacts.ownerId, ownerId));

/** The people who have one of some tags, as a statement of ids. */
export const peopleTagged = (tagIds: readonly string[]): SQL =>
  sql`select t.user_id from tagged_contacts t where t.tag_id = any(${sql.param([...tagIds])}::uuid[])`;

/** For each person, the people whom they have blocked and who have blocked them. */
export async function blockedWith(db: Db, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const hidden = new Map(userIds.map((id) => [id, [] as string[]]));
  if (userIds.length === 0) return hidden;
  const rows = await db
    .select({ blockerId: blocks.blockerId, blockedId: blocks.blockedId })
    .from(blocks)
    .where(or(isOneOf(blocks.blockerId, userIds), isOneOf(blocks.blockedId, userIds)));
  for (const { blockerId, blockedId } of rows) {
    hidden.get(blockerId)?.push(blockedId);
    hidden.get(blockedId)?.push(blockerId);
  }
  return hidden;
}

/** Whether one of two people has blocked the other. */
export async function blockBetween(db: Db, a: string, b: string): Promise<boolean> {
  const { rows } = await db.execute<{ free: boolean }>(
    sql`select ${neitherBlocked(sql`${a}::uuid`, sql`${b}::uuid`)} as free`,
  );
  return rows[0]?.free !== true;
}

/** How many of these tags are a person's own. */
export const countOwnTags = (db: Db, ownerId: string, tagIds: readonly string[]): Promise<number> =>
  tagIds.length === 0
    ? Promise.resolve(0)
    : db.$count(tags, and(eq(tags.ownerId, ownerId), inArray(tags.id, [...tagIds])));

/** The ids of these reviews that a person has reported. */
export async function reviewsReportedBy(
  db: Db,
  personId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ reviewId: personReports.reviewId })
    .from(personReports)
    .where(and(eq(personReports.reporterId, personId), inArray(personReports.reviewId, [...ids])));
  return new Set(rows.flatMap(({ reviewId }) => reviewId ?? []));
}

/** Reports without an admin's decision are counted up to this number. */
const mostOpen = 1000;

/**
 * A page of reports of people, the newest first, with their count and the count of all open reports.
 * @param viewerId reports about this person are left out
 */
export async function reportPage(
  db: Db,
  viewerId: string,
  { only, offset, size }: { only: 'all' | 'open'; offset: number; size: number },
): Promise<{ rows: ReportRow[]; total: number; open: number }> {
  const others = ne(personReports.subjectId, viewerId);
  const open = and(others, isNull(personReports.handledAt));
  const where = only === 'open' ? open : others;
  const [page, openTotal] = await Promise.all([
    pageOfRows(
      db,
      personReports,
      { where, order: [desc(personReports.createdAt), desc(personReports.id)] },
      { offset, size },
    ),
    countUpTo(db, personReports, { where: open, most: mostOpen }),
  ]);
  return { ...page, open: openTotal };
}

/** The number of reports about each of these people. */
export async function countReportsAbout(db: Db, subjectIds: readonly string[]): Promise<Map<string, number>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db
    .select({ id: personReports.subjectId, size: count() })
    .from(personReports)
    .where(inArray(personReports.subjectId, [...subjectIds]))
    .groupBy(personReports.subjectId);
  return new Map(rows.map((row) => [row.id, row.size]));
}

export const findReport = (db: Db, id: string): Promise<ReportRow | null> =>
  firstRow(db.select().from(personReports).where(eq(personReports.id, id)));

export async function reportsByIds(db: Db, ids: readonly string[]): Promise<Map<string, ReportRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(personReports)
    .where(inArray(personReports.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The chat lines that a report is about, oldest first. */
export const reportedLinesOf = (db: Db, reportId: string): Promise<ReportedLine[]> =>
  db
    .select()
    .from(reportedMessages)
    .where(eq(reportedMessages.reportId, reportId))
    .orderBy(reportedMessages.seq);

/** Whether a report is about this person; not where it is null. */
export const isReportAbout = (reportId: SQLWrapper, personId: string): SQL =>
  sql`exists (select from person_reports r where r.id = ${reportId} and r.subject_id = ${personId})`;
