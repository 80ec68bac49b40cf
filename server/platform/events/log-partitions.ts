import { sql } from 'drizzle-orm';
import { sqlState, type Db } from '../database/db.ts';
import { logKeptDays } from './event-log.ts';

/** Days for which the log has a place beforehand: an installation may be away for some of them. */
const daysAhead = 4;

/**
 * Gives the log a partition for today and each of the next days, and drops those that are a week old and that
 * all consumers are past. Idempotent, and safe while other processes do the same. Two functions of the
 * schema's owner do it: the role of calls makes and drops no table.
 * @param consumers their cursors alone count: one that no longer exists holds up nothing
 */
export async function keepLogPartitions(db: Db, consumers: readonly string[]): Promise<void> {
  for (let ahead = 0; ahead < daysAhead; ahead++)
    await db.execute(sql`select make_event_log_day(${ahead}::int)`).catch(orLater);
  const { rows } = await db.execute<{ seq: string | null }>(sql`
    select min(seq) as seq from event_cursors where consumer = any(${sql.param([...consumers])}::text[])`);
  const heardTo = rows[0]?.seq ?? null;
  if (heardTo === null) return;
  await db.execute(sql`select drop_event_log_days(${logKeptDays}::int, ${heardTo}::bigint)`).catch(orLater);
  await db.execute(sql`
    delete from event_log_default
    where written_on < current_date - ${logKeptDays}::int and seq <= ${heardTo}::bigint`);
}

/**
 * Errors after which the next round tries again: a lock was taken, another process was faster, or rows of
 * that day are in the default partition.
 */
const passing: ReadonlySet<string> = new Set(['55P03', '40P01', '42P07', '42P01', '23505', '23514']);

function orLater(error: unknown): void {
  if (!passing.has(sqlState(error) ?? '')) throw error;
}
