import { sql } from 'drizzle-orm';
import { sqlState, type Db } from '../database/db.ts';

/** Days for which the log has a place beforehand: an installation may be away for some of them. */
const daysAhead = 4;
/** What all have heard is kept so long, for an operator who looks for what happened. */
const keptDays = 7;

/**
 * Gives the log a partition for today and each of the next days, and drops those that are a week old and
 * that all consumers are past. Does nothing twice; safe beside other processes.
 * @param consumers their cursors alone count: one that no longer exists holds up nothing
 */
export async function keepLogPartitions(db: Db, consumers: readonly string[]): Promise<void> {
  for (let ahead = 0; ahead < daysAhead; ahead++)
    await db.transaction((tx) => makePartition(tx, ahead)).catch(orLater);
  const { rows } = await db.execute<{ txid: string }>(sql`
    select txid::text from event_cursors where consumer = any(${sql.param([...consumers])}::text[])
    order by txid limit 1`);
  const heardUpTo = rows[0]?.txid;
  if (heardUpTo === undefined) return;
  for (const name of await oldPartitions(db))
    await db.transaction((tx) => dropPartition(tx, name, heardUpTo)).catch(orLater);
  await db.execute(sql`
    delete from event_log_default
    where written_on < current_date - ${keptDays}::int and txid < ${heardUpTo}::xid8`);
}

/** Makes the partition of one day; fails while the default partition has rows of that day. */
async function makePartition(tx: Db, ahead: number): Promise<void> {
  const { rows } = await tx.execute<{ name: string; day: string; next: string; exists: boolean }>(sql`
    select name, day::text, (day + 1)::text as next, to_regclass(name) is not null as exists
    from (select current_date + ${ahead}::int as day) of,
      lateral (select 'event_log_' || to_char(day, 'YYYYMMDD') as name) named`);
  const [found] = rows;
  if (found === undefined || found.exists) return;
  await waitShortly(tx);
  const name = sql.identifier(found.name);
  await tx.execute(sql`create table ${name} (like event_log including defaults)`);
  // Attaching does not hold up those who write meanwhile, as making it in place would.
  await tx.execute(sql`
    alter table event_log attach partition ${name}
    for values from (${sql.raw(`'${found.day}'`)}) to (${sql.raw(`'${found.next}'`)})`);
}

async function oldPartitions(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select child.relname as name from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = 'event_log'::regclass and child.relname ~ '^event_log_[0-9]{8}$'
      and to_date(right(child.relname, 8), 'YYYYMMDD') < current_date - ${keptDays}::int`);
  return rows.map(({ name }) => name);
}

async function dropPartition(tx: Db, name: string, heardUpTo: string): Promise<void> {
  const unheard = await tx.execute(
    sql`select from ${sql.identifier(name)} where txid >= ${heardUpTo}::xid8 limit 1`,
  );
  if (unheard.rowCount !== 0) return;
  await waitShortly(tx);
  await tx.execute(sql`drop table ${sql.identifier(name)}`);
}

/** Those who write are not kept waiting for long: the next round tries again. */
const waitShortly = (tx: Db) => tx.execute(sql`set local lock_timeout = '500ms'`);

/**
 * What the next round tries again: a lock was taken, another process was faster, or rows of that day stand in
 * the default partition.
 */
const passing: ReadonlySet<string> = new Set(['55P03', '40P01', '42P07', '42P01', '23505', '23514']);

function orLater(error: unknown): void {
  if (!passing.has(sqlState(error) ?? '')) throw error;
}
