import { eq, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Period } from '#contract/admin/endpoints.ts';
import { minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { FigureSlot } from '../../../platform/database/figures.ts';
import { readSetting, writeSetting } from '../../../platform/database/settings.ts';
import { dailyFigures, figuresCounted } from '../../../schema/moderation.ts';
import { licenseFigures, waitingLicenseCounts } from '../../drivers/licenses/queries.ts';
import { accountCount, firstAccount, peopleFigures, suspendedCount } from '../../identity/queries.ts';
import { firstMove, openOrderCounts, orderFigures } from '../../orders/statistics/queries.ts';
import { moneyFigures } from '../../payments/queries.ts';

/** One figure of a period; `bucket` is the part of a distribution. */
export interface Figure {
  period: string;
  name: string;
  bucket: number;
  value: number;
}

const openOrdersKept = 'open orders';
const openOrders = z.object({ at: z.iso.datetime(), openRides: z.number(), openRequests: z.number() });
type OpenOrders = z.output<typeof openOrders>;
/**
 * How often the stored numbers of open orders are renewed, and how old they may be: longer where no process
 * works.
 */
const countEveryMs = minuteMs;
const countedForMs = 5 * minuteMs;

const isYounger = (kept: OpenOrders | null, mostMs: number, now: Date): kept is OpenOrders => {
  const ageMs = kept === null ? Infinity : now.getTime() - Date.parse(kept.at);
  return ageMs >= 0 && ageMs < mostMs;
};

async function keptOpenOrders(db: Db): Promise<OpenOrders | null> {
  return openOrders.safeParse(await readSetting(db, openOrdersKept)).data ?? null;
}

/** The numbers of open orders, counted one by one. */
async function countOpenOrders(db: Db, now: Date): Promise<OpenOrders> {
  const { openRides, openRequests } = openOrderCounts;
  const { rows } = await db.execute<Record<string, string>>(
    sql`select ${openRides} as rides, ${openRequests} as requests`,
  );
  const [row] = rows;
  return {
    at: now.toISOString(),
    openRides: Number(row!['rides']),
    openRequests: Number(row!['requests']),
  };
}

/**
 * Counts the open orders once a minute: of a whole country they are too many to count for each view of the
 * page.
 */
export async function keepOpenOrders(db: Db, now: Date): Promise<void> {
  if (isYounger(await keptOpenOrders(db), countEveryMs, now)) return;
  await writeSetting(db, openOrdersKept, await countOpenOrders(db, now));
}

/**
 * The current totals, but for those that follow from the figures. Open orders are as many as they were a
 * minute ago.
 */
export async function standing(db: Db, now: Date) {
  const kept = await keptOpenOrders(db);
  const open = isYounger(kept, countedForMs, now) ? kept : await countOpenOrders(db, now);
  const counts = { suspended: suspendedCount, ...waitingLicenseCounts };
  const { rows } = await db.execute<Record<string, string | null>>(
    sql`select ${sql.join(
      Object.entries(counts).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
      sql`, `,
    )}`,
  );
  const row = rows[0] ?? {};
  const oldest = row['oldestLicenceSentAt'] ?? null;
  return {
    suspended: Number(row['suspended']),
    openRides: open.openRides,
    openRequests: open.openRequests,
    licencesWaiting: Number(row['licencesWaiting']),
    oldestLicenceSentAt: oldest === null ? null : new Date(oldest).toISOString(),
  };
}

/** The first days of the latest periods, in the region's zone, the oldest first. */
export async function periodStarts(
  db: Db,
  { by, periods, timeZone, now }: { by: Period; periods: number; timeZone: string; now: Date },
): Promise<string[]> {
  const found = await db.execute<{ day: string }>(sql`
    with last as (select date_trunc(${by}, ${now.toISOString()}::timestamptz at time zone ${timeZone}) as at)
    select to_char(last.at - step * ${`1 ${by}`}::interval, 'YYYY-MM-DD') as day
    from last, generate_series(${periods - 1}, 0, -1) as step`);
  return found.rows.map((row) => row.day);
}

/** Each figure of each period from a day on that is not empty, as far as it is added up. */
export async function figuresFrom(db: Db, by: Period, day: string): Promise<Figure[]> {
  const found = await db.execute<{ period: string; name: string; bucket: number; value: string }>(sql`
    select to_char(date_trunc(${by}, day::timestamp), 'YYYY-MM-DD') as period, name, bucket, sum(value) as value
    from daily_figures where day >= ${day}::date group by 1, 2, 3`);
  return found.rows.map((row) => ({ ...row, value: Number(row.value) }));
}

/** The number of accounts, as far as it is added up. */
export async function countedPeople(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: string | null }>(sql`
    select sum(case name when 'people' then value else -value end) as count
    from daily_figures where name in ('people', 'peopleGone')`);
  return Number(rows[0]?.count ?? 0);
}

/** The number of accounts, read through: for the time in which they are not added up. */
export async function peopleNow(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(sql`select ${accountCount} as count`);
  return Number(rows[0]?.count ?? 0);
}

const countedIn = (slot: FigureSlot): SQL =>
  sql.join(
    [...peopleFigures(slot), orderFigures(slot), ...moneyFigures(slot), ...licenseFigures(slot)],
    sql` union all `,
  );

/** The figures of a slot, counted now. */
export async function figuresIn(db: Db, slot: FigureSlot): Promise<Omit<Figure, 'period'>[]> {
  const found = await db.execute<{ name: string; bucket: number; value: string }>(
    sql`select name, bucket, value from (${countedIn(slot)}) as of_slot (name, bucket, value)`,
  );
  return found.rows.map((row) => ({ ...row, value: Number(row.value) }));
}

/** Adds the figures of a slot, which lies within one day, to those of the day. */
export async function addFigures(tx: Db, day: string, slot: FigureSlot): Promise<void> {
  await tx.execute(sql`
    insert into daily_figures (day, name, bucket, value)
    select ${day}::date, name, bucket, value from (${countedIn(slot)}) as of_slot (name, bucket, value)
    where value <> 0
    on conflict (day, name, bucket) do update set value = daily_figures.value + excluded.value`);
}

/** Up to when figures are added up, in which zone; null before the first time. */
export const countedUntil = (db: Db): Promise<{ untilAt: Date; timeZone: string } | null> =>
  firstRow(db.select().from(figuresCounted).where(eq(figuresCounted.id, 1)));

/** The same, and no other transaction adds to them until this one ends. */
export const lockCounted = (tx: Db): Promise<{ untilAt: Date; timeZone: string } | null> =>
  firstRow(
    tx.select().from(figuresCounted).where(eq(figuresCounted.id, 1)).for('update', { skipLocked: true }),
  );

export async function noteCounted(tx: Db, untilAt: Date): Promise<void> {
  await tx.update(figuresCounted).set({ untilAt }).where(eq(figuresCounted.id, 1));
}

/** Begins with the first thing that ever happened; forgets what was counted in the days of another zone. */
export async function beginCounting(tx: Db, timeZone: string, now: Date): Promise<void> {
  const first = [await firstAccount(tx), await firstMove(tx)].filter((at) => at !== null);
  const untilAt = new Date(Math.min(now.getTime(), ...first.map((at) => at.getTime())));
  await tx
    .insert(figuresCounted)
    .values({ id: 1, untilAt, timeZone })
    .onConflictDoUpdate({ target: figuresCounted.id, set: { untilAt, timeZone } });
  await tx.delete(dailyFigures);
}
