import {
  and,
  count,
  desc,
  eq,
  ilike,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { personReports } from '../../../schema/contacts.ts';
import { feedback } from '../../../schema/feedback.ts';
import { users } from '../../../schema/identity.ts';
import { requests, rides } from '../../../schema/rides.ts';

export type UserRow = typeof users.$inferSelect;
export type FeedbackRow = typeof feedback.$inferSelect;
export type ReportRow = typeof personReports.$inferSelect;
export interface PageOf {
  offset: number;
  size: number;
}

/** Text inside a LIKE pattern stands for itself. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Accounts that still are somebody's, the newest first. */
export async function findUsers(
  db: Db,
  { text, only, offset, size }: PageOf & { text: string; only: 'all' | 'suspended' | 'admins' },
): Promise<{ rows: UserRow[]; total: number }> {
  const holds = containing(text);
  const where = and(
    isNull(users.deletedAt),
    only === 'suspended' ? isNotNull(users.suspendedAt) : undefined,
    only === 'admins' ? eq(users.isAdmin, true) : undefined,
    text === ''
      ? undefined
      : or(
          ilike(users.name, holds),
          ilike(sql`${users.firstName} || ' ' || ${users.lastName}`, holds),
          ilike(users.email, holds),
          ilike(users.phone, holds),
        ),
  );
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(users)
      .where(where)
      .orderBy(desc(users.createdAt), desc(users.id))
      .offset(offset)
      .limit(size),
    db.$count(users, where),
  ]);
  return { rows, total };
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)));
  return row ?? null;
}

/** A person's rides and requests that have not ended. */
export async function openOrderIds(db: Db, userId: string): Promise<string[]> {
  const [driving, riding] = await Promise.all([
    db
      .select({ id: rides.id })
      .from(rides)
      .where(and(eq(rides.driverId, userId), notInArray(rides.state, [...endedRideStates]))),
    db
      .select({ id: requests.id })
      .from(requests)
      .where(and(eq(requests.passengerId, userId), notInArray(requests.state, [...endedRequestStates]))),
  ]);
  return [...driving, ...riding].map((row) => row.id);
}

/** The e-mail addresses of people, by id. */
export async function emailsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.email]));
}

export async function feedbackPage(
  db: Db,
  { only, offset, size }: PageOf & { only: 'all' | 'open' },
): Promise<{ rows: FeedbackRow[]; total: number; open: number }> {
  const where = only === 'open' ? isNull(feedback.readAt) : undefined;
  const [rows, total, open] = await Promise.all([
    db
      .select()
      .from(feedback)
      .where(where)
      .orderBy(desc(feedback.createdAt), desc(feedback.id))
      .offset(offset)
      .limit(size),
    db.$count(feedback, where),
    db.$count(feedback, isNull(feedback.readAt)),
  ]);
  return { rows, total, open };
}

export async function findFeedback(db: Db, id: string): Promise<FeedbackRow | null> {
  const [row] = await db.select().from(feedback).where(eq(feedback.id, id));
  return row ?? null;
}

/** Marks a message as read; null when it was, or is not there. */
export async function markRead(tx: Db, id: string, at: Date): Promise<FeedbackRow | null> {
  const [row] = await tx
    .update(feedback)
    .set({ readAt: at })
    .where(and(eq(feedback.id, id), isNull(feedback.readAt)))
    .returning();
  return row ?? null;
}

/** Keeps the answer to a message that has none; null when it has one. */
export async function keepAnswer(tx: Db, id: string, answer: string, at: Date): Promise<FeedbackRow | null> {
  const [row] = await tx
    .update(feedback)
    .set({ answer, answeredAt: at, readAt: sql`coalesce(${feedback.readAt}, ${at.toISOString()})` })
    .where(and(eq(feedback.id, id), isNull(feedback.answeredAt)))
    .returning();
  return row ?? null;
}

export async function reportPage(
  db: Db,
  { only, offset, size }: PageOf & { only: 'all' | 'open' },
): Promise<{ rows: ReportRow[]; total: number; open: number }> {
  const where = only === 'open' ? isNull(personReports.handledAt) : undefined;
  const [rows, total, open] = await Promise.all([
    db
      .select()
      .from(personReports)
      .where(where)
      .orderBy(desc(personReports.createdAt), desc(personReports.id))
      .offset(offset)
      .limit(size),
    db.$count(personReports, where),
    db.$count(personReports, isNull(personReports.handledAt)),
  ]);
  return { rows, total, open };
}

/** How many reports there are about each of these people. */
export async function reportsAbout(db: Db, subjectIds: readonly string[]): Promise<Map<string, number>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db
    .select({ id: personReports.subjectId, size: count() })
    .from(personReports)
    .where(inArray(personReports.subjectId, [...subjectIds]))
    .groupBy(personReports.subjectId);
  return new Map(rows.map((row) => [row.id, row.size]));
}

export async function findReport(db: Db, id: string): Promise<ReportRow | null> {
  const [row] = await db.select().from(personReports).where(eq(personReports.id, id));
  return row ?? null;
}

/** How things stand now. */
export async function standing(db: Db) {
  const found = await db.execute<Record<string, string | null>>(sql`select
    (select count(*) from users where deleted_at is null) as people,
    (select count(*) from users where deleted_at is null and suspended_at is not null) as suspended,
    (select count(*) from rides where state not in ${sqlWords(endedRideStates)}) as "openRides",
    (select count(*) from requests where state not in ${sqlWords(endedRequestStates)}) as "openRequests",
    (select count(*) from licences where status = 'Reviewing') as "licencesWaiting",
    (select min(created_at) from licences where status = 'Reviewing') as "oldestLicenceSentAt"`);
  const row = found.rows[0] ?? {};
  const oldest = row['oldestLicenceSentAt'] ?? null;
  return {
    people: Number(row['people']),
    suspended: Number(row['suspended']),
    openRides: Number(row['openRides']),
    openRequests: Number(row['openRequests']),
    licencesWaiting: Number(row['licencesWaiting']),
    oldestLicenceSentAt: oldest === null ? null : new Date(oldest).toISOString(),
  };
}

/** The first days of the latest periods, in the region's zone, the oldest first. */
export async function periodStarts(
  db: Db,
  {
    by,
    periods,
    timeZone,
    now,
  }: { by: 'day' | 'week' | 'month'; periods: number; timeZone: string; now: Date },
): Promise<string[]> {
  const found = await db.execute<{ day: string }>(sql`
    with last as (select date_trunc(${by}, ${now.toISOString()}::timestamptz at time zone ${timeZone}) as at)
    select to_char(last.at - step * ${`1 ${by}`}::interval, 'YYYY-MM-DD') as day
    from last, generate_series(${periods - 1}, 0, -1) as step`);
  return found.rows.map((row) => row.day);
}

/** Each figure of each period in which something happened. */
export async function figures(
  db: Db,
  { by, from, timeZone }: { by: 'day' | 'week' | 'month'; from: string; timeZone: string },
): Promise<{ period: string; name: string; value: number }[]> {
  const since = sql`(${from}::timestamp at time zone ${timeZone})`;
  const one = (name: string, value: SQL, at: SQL, things: SQL): SQL =>
    sql`select date_trunc(${by}, ${at} at time zone ${timeZone}) as period, ${name}::text as name, (${value})::float8 as value
      from ${things} and ${at} >= ${since} group by 1`;
  const all = sql`count(*)`;
  const ended = sql`bookings.ended_at`;
  const fault = (state: string, whose: string) =>
    sql`bookings where state = ${state} and joined_at is not null and fault = ${whose}`;
  const parts = [
    one('people', all, sql`created_at`, sql`users where true`),
    one('rides', all, sql`created_at`, sql`rides where true`),
    one('requests', all, sql`created_at`, sql`requests where true`),
    one('matches', all, sql`created_at`, sql`bookings where true`),
    one('joined', all, sql`joined_at`, sql`bookings where joined_at is not null`),
    one('finished', all, ended, sql`bookings where state = 'finished'`),
    one('cancelledByDriver', all, ended, fault('cancel', 'driver')),
    one('cancelledByPassenger', all, ended, fault('cancel', 'passenger')),
    one('missedByDriver', all, ended, fault('missed', 'driver')),
    one('missedByPassenger', all, ended, fault('missed', 'passenger')),
    one(
      'sharedMetres',
      sql`sum(requests.drive_metres)`,
      ended,
      sql`bookings join requests on requests.id = bookings.request_id where bookings.state = 'finished'`,
    ),
    one(
      'heldCents',
      sql`sum(cents)`,
      sql`at`,
      sql`ledger_lines where account = 'cards.held' and what = 'held'`,
    ),
    one('capturedCents', sql`sum(cents)`, sql`at`, sql`ledger_lines where account = 'cards'`),
    one('licencesDecided', all, sql`decided_at`, sql`licences where decided_at is not null`),
    one(
      'licenceWaitMinutes',
      sql`percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at) / 60)`,
      sql`decided_at`,
      sql`licences where decided_at is not null`,
    ),
  ];
  const found = await db.execute<{ period: string; name: string; value: number }>(
    sql`select to_char(period, 'YYYY-MM-DD') as period, name, value from (${sql.join(parts, sql` union all `)}) as each`,
  );
  return found.rows;
}
