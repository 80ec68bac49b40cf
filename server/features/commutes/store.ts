import { and, asc, between, eq, getTableColumns, lte, ne, sql, type SQL } from 'drizzle-orm';
import { mostPerPage } from '#contract/units.ts';
import type { Db } from '../../platform/database/db.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { commutes, commutesDue } from '../../schema/commutes.ts';
import { awaitedBy } from '../alerts/queries.ts';
import { hasAccount, isTakingPart } from '../identity/queries.ts';
import { circleReaches } from '../orders/audience/queries.ts';
import { travelsOf as travelsOfOrders } from '../orders/queries.ts';

export type CommuteRow = typeof commutes.$inferSelect;

/** Most orders of one person that are read. */
const mostOrders = 200;

/** Marks the commutes of people as due at an instant, unless they are due earlier. */
export async function markDue(db: Db, personIds: readonly string[], at: Date): Promise<void> {
  // Writes in the order of person ids, so that two processes wait for each other without a deadlock.
  await db.execute(sql`
    insert into commutes_due (person_id, due_at)
    select person_id, ${at.toISOString()}::timestamptz from unnest(${sql.param([...personIds])}::uuid[]) person_id
    where ${hasAccount(sql`person_id`)} order by person_id
    on conflict (person_id) do update set due_at = least(commutes_due.due_at, excluded.due_at)`);
}

export const isAnyoneDue = (now: Date): SQL =>
  sql`exists (select from ${commutesDue} where ${lte(commutesDue.dueAt, now)})`;

export async function duePeople(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ personId: commutesDue.personId })
    .from(commutesDue)
    .where(lte(commutesDue.dueAt, now))
    .orderBy(asc(commutesDue.dueAt))
    .limit(limit);
  return rows.map(({ personId }) => personId);
}

/**
 * Locks people whose commutes are due, and says who of them takes part. Left out are those whom another
 * process has locked, or who are no longer due.
 */
export const holdDue = (
  tx: Db,
  personIds: readonly string[],
  now: Date,
): Promise<{ personId: string; takesPart: boolean }[]> =>
  tx
    .select({
      personId: commutesDue.personId,
      takesPart: sql<boolean>`${isTakingPart(sql`${commutesDue.personId}`)}`,
    })
    .from(commutesDue)
    .where(and(isOneOf(commutesDue.personId, personIds), lte(commutesDue.dueAt, now)))
    .orderBy(asc(commutesDue.personId))
    .for('update', { skipLocked: true });

/** Replaces people's commutes; those who have some are due again at an instant, the others never. */
export async function replaceCommutes(
  tx: Db,
  personIds: readonly string[],
  rows: readonly CommuteRow[],
  dueAt: Date,
): Promise<void> {
  await tx.delete(commutes).where(isOneOf(commutes.personId, personIds));
  if (rows.length > 0) await tx.insert(commutes).values([...rows]);
  const withSome = new Set(rows.map(({ personId }) => personId));
  const others = personIds.filter((id) => !withSome.has(id));
  if (withSome.size > 0)
    await tx
      .update(commutesDue)
      .set({ dueAt })
      .where(isOneOf(commutesDue.personId, [...withSome]));
  if (others.length > 0) await tx.delete(commutesDue).where(isOneOf(commutesDue.personId, others));
}

/**
 * The sources of people's commutes: their active recurring orders, their orders since an instant, and their
 * alerts.
 */
export async function travelsOf(tx: Db, personIds: readonly string[], since: Date, now: Date) {
  const travels = await travelsOfOrders(tx, personIds, since, mostOrders);
  return { ...travels, awaited: await awaitedBy(tx, personIds, now) };
}
export type Travels = Awaited<ReturnType<typeof travelsOf>>;

/** A commute that many people share, with its counts. */
export interface CountedCommute {
  fromArea: number;
  toArea: number;
  part: number;
  people: number;
  drivers: number;
  passengers: number;
  days: number;
  fromMinute: number;
  toMinute: number;
  fromLabel: string;
  toLabel: string;
  timeZone: string;
  mine: boolean;
}

/**
 * Commutes from some areas that at least `of.fewest` different people share in a part of the day, most people
 * first. The query finds them by one index only, and reads the other columns just for the requested page.
 * @param spans areas to start from, as spans of ids.
 */
export async function countedCommutes(
  db: Db,
  of: {
    spans: readonly (readonly [number, number])[];
    fewest: number;
    viewerId: string | null;
    offset: number;
    limit: number;
  },
): Promise<{ rows: CountedCommute[]; total: number }> {
  const spans = sql.join(
    of.spans.map(([first, last]) => sql`(${first}::int, ${last}::int)`),
    sql`, `,
  );
  const dayBits = sql.join(
    [0, 1, 2, 3, 4, 5, 6].map(
      (bit) =>
        sql`(case when count(distinct commute.person_id) filter (where (commute.days::int & ${1 << bit}::int) <> 0) * 2 >= c.people then ${1 << bit}::int else 0 end)`,
    ),
    sql` + `,
  );
  const found = await db.execute<Record<string, unknown>>(sql`
    with counted as (
      select commute.from_area, commute.to_area, commute.part, count(distinct commute.person_id) as people
      from (values ${spans}) as span (first, last)
      -- A read of the index for each span; joined, all commutes would be held against all spans.
      cross join lateral (
        select from_area, to_area, part, person_id from commutes
        where is_counted and from_area between span.first and span.last offset 0
      ) commute
      group by commute.from_area, commute.to_area, commute.part
      having count(distinct commute.person_id) >= ${of.fewest}
    ), page as (
      select *, count(*) over () as total from counted
      order by people desc, from_area, to_area, part
      limit ${of.limit} offset ${of.offset}
    )
    select c.from_area, c.to_area, c.part, c.people::int as people, c.total::int as total,
      count(distinct commute.person_id) filter (where commute.role = 'driver')::int as drivers,
      count(distinct commute.person_id) filter (where commute.role = 'passenger')::int as passengers,
      ${dayBits} as common_days, bit_or(commute.days::int) as all_days,
      percentile_disc(0.2) within group (order by commute.minute) as from_minute,
      percentile_disc(0.8) within group (order by commute.minute) as to_minute,
      mode() within group (order by commute.from_label) as from_label,
      mode() within group (order by commute.to_label) as to_label,
      mode() within group (order by commute.time_zone) as time_zone,
      bool_or(commute.person_id = ${of.viewerId}::uuid) as mine
    from page c
    join commutes commute on commute.is_counted and commute.from_area = c.from_area and commute.to_area = c.to_area and commute.part = c.part
    group by c.from_area, c.to_area, c.part, c.people, c.total
    order by c.people desc, c.from_area, c.to_area, c.part`);
  const rows = found.rows.map((row) => ({
    fromArea: Number(row['from_area']),
    toArea: Number(row['to_area']),
    part: Number(row['part']),
    people: Number(row['people']),
    drivers: Number(row['drivers']),
    passengers: Number(row['passengers']),
    // Where half of them share no day, all days are listed.
    days: Number(row['common_days']) || Number(row['all_days']),
    fromMinute: Number(row['from_minute']),
    toMinute: Number(row['to_minute']),
    fromLabel: String(row['from_label']),
    toLabel: String(row['to_label']),
    timeZone: String(row['time_zone']),
    mine: row['mine'] === true,
  }));
  return { rows, total: Number(found.rows[0]?.['total'] ?? 0) };
}

/** A person's regular commutes, recurring orders first. */
export async function regularCommutesOf(db: Db, personId: string): Promise<CommuteRow[]> {
  return db
    .select()
    .from(commutes)
    .where(and(eq(commutes.personId, personId), eq(commutes.isRegular, true)))
    .orderBy(sql`${commutes.recurringId} is null`, asc(commutes.minute), asc(commutes.id))
    .limit(mostPerPage);
}

const intArray = (values: readonly number[]): SQL => sql`${sql.param([...values])}::int[]`;

/** Conditions on the commutes of others. */
interface NearCommutes {
  /** Areas around the start of the viewer's drive, and around its end. */
  atStart: readonly number[];
  atEnd: readonly number[];
  withinMinutes: number;
  limit: number;
}

/**
 * Weekly commutes of others that the viewer may see and that could share a car with one of the viewer's: on a
 * common day, at about the same time, with both ends along it or the reverse. The nearest in a straight line,
 * up to a limit. A person who rides only with women is found only by women who want the same.
 * @param of.along areas around the viewer's drive.
 */
export const weeklyCommutesNear = (
  db: Db,
  own: CommuteRow,
  { along, ...of }: NearCommutes & { along: readonly number[] },
): Promise<CommuteRow[]> =>
  nearestShared(db, own, {
    ...of,
    where: sql`(
      (${commutes.fromArea} = any(${intArray(along)}) and ${commutes.toArea} = any(${intArray(along)}))
      or (${commutes.corridor} && ${intArray(of.atStart)} and ${commutes.corridor} && ${intArray(of.atEnd)}))`,
  });

/**
 * The same for commutes that start near the viewer's start and end near its end.
 * @param of.withinDegrees the farthest that start and end together are from the viewer's, in degrees of
 *   latitude
 */
export const weeklyCommutesAtEnds = (
  db: Db,
  own: CommuteRow,
  of: NearCommutes & { withinDegrees?: number },
): Promise<CommuteRow[]> =>
  nearestShared(db, own, {
    ...of,
    where: sql`(${commutes.fromArea} = any(${intArray(of.atStart)}) and ${commutes.toArea} = any(${intArray(of.atEnd)}))`,
  });

async function nearestShared(
  db: Db,
  own: CommuteRow,
  of: { where: SQL; withinMinutes: number; withinDegrees?: number; limit: number },
): Promise<CommuteRow[]> {
  const { personId, fromLon, fromLat, toLon, toLat } = own;
  const shrink = Math.cos((fromLat * Math.PI) / 180);
  const far = sql`(((${commutes.fromLon} - ${fromLon}) * ${shrink}) ^ 2 + (${commutes.fromLat} - ${fromLat}) ^ 2
    + ((${commutes.toLon} - ${toLon}) * ${shrink}) ^ 2 + (${commutes.toLat} - ${toLat}) ^ 2)`;
  const apart = sql`mod(${commutes.minute}::int - ${own.minute}::int + 1440, 1440)`;
  // The same by the index; across midnight it is two spans, and all are read.
  const [first, last] = [own.minute - of.withinMinutes, own.minute + of.withinMinutes];
  const isOneSpan = first >= 0 && last < 1440;
  // The nearest first: who may see them is asked of one after another until there are enough.
  const near = db
    .select({ ...getTableColumns(commutes), far: far.as('far') })
    .from(commutes)
    .where(
      and(
        eq(commutes.isRegular, true),
        ne(commutes.personId, personId),
        eq(commutes.women, own.women),
        sql`(${commutes.days}::int & ${own.days}::int) <> 0`,
        sql`least(${apart}, 1440 - ${apart}) <= ${of.withinMinutes}`,
        isOneSpan ? between(commutes.minute, first, last) : undefined,
        of.where,
        of.withinDegrees === undefined ? undefined : sql`${far} < ${of.withinDegrees ** 2}`,
      ),
    )
    .orderBy(far, asc(commutes.id))
    .as('near');
  const { far: _far, ...columns } = near._.selectedFields;
  return db
    .select(columns)
    .from(near)
    .where(and(isTakingPart(near.personId), circleReaches(near, near.personId, personId)))
    .orderBy(near.far, asc(near.id))
    .limit(of.limit);
}

export const erasure = {
  // Derived from other tables.
  commutes: (tx, personId) => tx.delete(commutes).where(eq(commutes.personId, personId)),
  commutes_due: (tx, personId) => tx.delete(commutesDue).where(eq(commutesDue.personId, personId)),
} satisfies Erasure;
