import { and, count, desc, eq, inArray, lt, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { AdminReading } from '#contract/admin/endpoints.ts';
import { securityEvents, type SecurityCount, type SecurityEvent } from '#contract/admin/security.ts';
import { countedFor, countUpTo } from '../database/count-up-to.ts';
import type { Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';
import type { Erasure } from '../erasure.ts';
import { adminActions, adminReadingPeople, adminReadings, securityCounts } from '../../schema/audit.ts';

export type ActionRow = typeof adminActions.$inferSelect;
export type ReadingRow = typeof adminReadings.$inferSelect & {
  peopleCount: number;
  /** The first few of them. */
  personIds: string[];
};

/** Maximum people named with a reading. */
const mostNamed = 5;

export async function insertAction(tx: Db, action: typeof adminActions.$inferInsert): Promise<void> {
  await tx.insert(adminActions).values(action);
}

/** A page of a log. Someone on the team does not learn from it that they were reported. */
export interface LogPage {
  /** Null for the command line. */
  viewerId: string | null;
  offset: number;
  size: number;
}

const shownTo = (viewerId: string | null): SQL | undefined =>
  viewerId === null
    ? undefined
    : sql`(action <> 'report.handled' or person_id is distinct from ${viewerId}::uuid)`;

export const newestActions = (db: Db, { viewerId, offset, size }: LogPage): Promise<ActionRow[]> =>
  db
    .select()
    .from(adminActions)
    .where(shownTo(viewerId))
    .orderBy(desc(adminActions.id))
    .offset(offset)
    .limit(size);

export const countActions = (db: Db, page: LogPage): Promise<number> =>
  countUpTo(db, adminActions, {
    where: shownTo(page.viewerId),
    by: sql`id desc`,
    most: countedFor(page),
  });

/**
 * True for a person whose account is still there: accounts belong to a feature, which hands the condition in.
 */
export type HasAccount = (person: SQLWrapper) => SQL;

/** True where a person's account was opened again since an instant. */
export const isUnsuspendedSince = (personId: string, at: SQLWrapper): SQL =>
  sql`exists (select 1 from admin_actions a
    where a.person_id = ${personId} and a.action = 'user.unsuspended' and a.at >= ${at})`;

/**
 * Adds a reading to those of the same admin, list and hour, and the people to theirs; who is gone by now is
 * left out.
 */
export async function keepReading(
  tx: Db,
  { adminId, list, hourAt, at }: { adminId: string; list: AdminReading; hourAt: Date; at: Date },
  people: { ids: readonly string[]; hasAccount: HasAccount },
): Promise<void> {
  const [reading] = await tx
    .insert(adminReadings)
    .values({ adminId, list, hourAt, times: 1, firstAt: at, lastAt: at })
    .onConflictDoUpdate({
      target: [adminReadings.adminId, adminReadings.list, adminReadings.hourAt],
      set: { times: sql`${adminReadings.times} + 1`, lastAt: at },
    })
    .returning({ id: adminReadings.id });
  if (people.ids.length === 0) return;
  await tx.execute(sql`insert into admin_reading_people (reading_id, person_id)
    select ${reading!.id}::bigint, named.id from unnest(${sql.param([...people.ids])}::uuid[]) as named (id)
    where ${people.hasAccount(sql`named.id`)} on conflict do nothing`);
}

/** Lists with the people who were reported. */
const listsOfReports: readonly AdminReading[] = ['reports', 'tickets'];

export async function newestReadings(db: Db, { viewerId, offset, size }: LogPage): Promise<ReadingRow[]> {
  const rows = await db
    .select()
    .from(adminReadings)
    .orderBy(desc(adminReadings.lastAt), desc(adminReadings.id))
    .offset(offset)
    .limit(size);
  if (rows.length === 0) return [];
  const idsOf = (ofReports: boolean) =>
    rows.filter(({ list }) => listsOfReports.includes(list) === ofReports).map(({ id }) => id);
  const people = await db
    .select({
      id: adminReadingPeople.readingId,
      peopleCount: count(),
      personIds: sql<string[]>`(array_agg(${adminReadingPeople.personId}))[1:${sql.raw(String(mostNamed))}]`,
    })
    .from(adminReadingPeople)
    .where(
      or(
        inArray(adminReadingPeople.readingId, idsOf(false)),
        and(
          inArray(adminReadingPeople.readingId, idsOf(true)),
          sql`${adminReadingPeople.personId} is distinct from ${viewerId}::uuid`,
        ),
      ),
    )
    .groupBy(adminReadingPeople.readingId);
  const byId = new Map(people.map((each) => [each.id, each]));
  return rows.map((row) => ({ peopleCount: 0, personIds: [], ...row, ...byId.get(row.id) }));
}

export const countReadings = (db: Db, page: { offset: number; size: number }): Promise<number> =>
  countUpTo(db, adminReadings, { by: sql`last_at desc`, most: countedFor(page) });

type SecurityRow = Record<'lately' | 'day' | 'week', string> & {
  event: SecurityEvent;
  lastAt: string | Date | null;
};

/**
 * The counts of whole hours from each instant on; kinds of which there were none too. Of each kind the hours
 * of the week are read, and the latest one that there is.
 */
export async function securityFigures(
  db: Db,
  from: { lately: Date; day: Date; week: Date },
): Promise<SecurityCount[]> {
  const since = (at: Date) => sql`coalesce(sum(c.count) filter (where c.hour_at >= ${at.toISOString()}), 0)`;
  const { rows } = await db.execute<SecurityRow>(sql`
    select kind.event, of_week.*,
      (select c.last_at from security_counts c where c.event = kind.event order by c.hour_at desc limit 1) as "lastAt"
    from unnest(${sql.param([...securityEvents])}::text[]) as kind (event), lateral (
      select ${since(from.lately)} as lately, ${since(from.day)} as day, ${since(from.week)} as week
      from security_counts c where c.event = kind.event and c.hour_at >= ${from.week.toISOString()}
    ) of_week`);
  return rows.map(({ event, lately, day, week, lastAt }) => ({
    event,
    lately: Number(lately),
    day: Number(day),
    week: Number(week),
    lastAt: lastAt === null ? null : new Date(lastAt).toISOString(),
  }));
}

export async function clearOld(db: Db, before: { readings: Date; counts: Date }): Promise<void> {
  await inPages(
    adminReadings,
    sql`where last_at < ${before.readings.toISOString()} order by last_at`,
    (page) => db.delete(adminReadings).where(page),
  );
  await db.delete(securityCounts).where(lt(securityCounts.hourAt, before.counts));
}

/**
 * Actions and readings of admins stay; the names of admins, and of the people they were about, go. A trigger
 * of `users` does this in `admin_actions`, to which the app can only add.
 */
export const auditErasure = {
  admin_readings: (tx, personId) =>
    tx.update(adminReadings).set({ adminId: null }).where(eq(adminReadings.adminId, personId)),
  admin_reading_people: (tx, personId) =>
    tx.delete(adminReadingPeople).where(eq(adminReadingPeople.personId, personId)),
} satisfies Erasure;
