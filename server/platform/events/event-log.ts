import { z } from 'zod';
import { sql, type SQL } from 'drizzle-orm';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { keptMs } from '#contract/privacy/retention.ts';
import { dayMs } from '../clock.ts';
import type { Db } from '../database/db.ts';

/** A pool or a connection of the driver. */
export interface Connection {
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>>;
}

/** A signal before its transaction is committed. */
export interface SignalDraft {
  name: string;
  /** Signals with one key are heard one after another, in the order of their commits. */
  key: string;
  at: string;
  payload: unknown;
}

/** A signal of the log. */
export const loggedSignal = z.object({
  id: z.number(),
  name: z.string(),
  key: z.string(),
  at: z.coerce.date(),
  payload: z.unknown(),
});
export type LoggedSignal = z.output<typeof loggedSignal>;

/** One row: the signals of one transaction, in the order in which it emitted them. */
export interface LogRow {
  /** Its number: consumers read in the order of numbers. */
  seq: number;
  signals: readonly LoggedSignal[];
}

/** The ids of two rows differ by so much: each signal of a row has an id of its own. */
const idsPerRow = 256;
/** Most rows that are numbered, or read, by one statement. */
export const rowsPerRead = 1000;
/** Retained this long after all consumers have passed it, for an operator who investigates. */
export const logKeptDays = keptMs('signals') / dayMs;
/** Any number, the same in every process: the transaction that holds this lock gives numbers to rows. */
const numberingLock = 7_302_008;

const items = z.array(loggedSignal.omit({ id: true }));

/** The signals of a transaction as rows of the log: one for each 256. */
export const logRowsOf = (signals: readonly SignalDraft[]): SignalDraft[][] =>
  Array.from({ length: Math.ceil(signals.length / idsPerRow) }, (_, row) =>
    signals.slice(row * idsPerRow, (row + 1) * idsPerRow),
  );

/** Writes rows of the log, which are given as a JSON array. */
export const appendingRows = (json: SQL): SQL =>
  sql`insert into event_log (items) select jsonb_array_elements(${json})`;

/** Writes signals into the log. */
export const appendingToLog = (signals: readonly SignalDraft[]): SQL =>
  appendingRows(sql`${JSON.stringify(logRowsOf(signals))}::jsonb`);

/**
 * Gives numbers to rows that are committed and have none, in the order of their ids. A transaction draws the
 * id of its row while it holds its locks: of two transactions that waited for each other, the one that was
 * committed first has the lower id, and gets the lower number. The lock makes numbers visible in their order:
 * a reader of a number has missed none below it.
 */
export const numbering: QueryConfig = {
  name: 'number-event-log',
  // Ordered as by the index of the log, in which rows without a number come last.
  text: `with locked as materialized (select pg_advisory_xact_lock(${numberingLock}))
    update event_log set seq = numbered.seq from (
      select fresh.written_on, fresh.id, nextval('event_log_numbers') as seq from locked cross join (
        select written_on, id from event_log where seq is null order by seq, id limit ${rowsPerRead}
      ) fresh
    ) numbered
    where event_log.seq is null and event_log.id = numbered.id and event_log.written_on = numbered.written_on`,
  values: [],
};

/** Does `numbering` on a connection. */
export async function numberLog(connection: Connection): Promise<void> {
  await connection.query(numbering);
}

/** Whether rows are committed that have a number after this one, or none. */
export async function isAnythingAfter(connection: Connection, seq: number): Promise<boolean> {
  const { rows } = await connection.query<{ is_ahead: boolean }>({
    name: 'is-event-log-ahead',
    text: `select exists (select from event_log where seq is null)
      or exists (select from event_log where seq > $1) as is_ahead`,
    values: [seq],
  });
  return rows[0]!.is_ahead;
}

/** The next rows after a number, in order, up to 1,000. */
export async function readLog(connection: Connection, after: number): Promise<LogRow[]> {
  const { rows } = await connection.query<{ seq: string; id: string; items: unknown }>({
    name: 'read-event-log',
    text: `select seq, id, items from event_log where seq > $1 order by seq limit ${rowsPerRead}`,
    values: [after],
  });
  return rows.map((row) => ({
    seq: Number(row.seq),
    signals: items.parse(row.items).map((item, place) => ({ ...item, id: Number(row.id) + place })),
  }));
}

/**
 * The rows after a number, for a reader that has a cursor of its own and listens in its own process: also
 * those that are committed and have no number yet, which it gets once more when they have one.
 */
export const logAfter = (seq: SQL): SQL => sql`
  select seq, id, items from event_log where seq > ${seq}
  union all select seq, id, items from event_log where seq is null`;

/**
 * The timeline of the database, the first part of the name of its current log file. After a failover or a
 * restore it is another one, in which numbers of rows that are lost may be given again.
 */
export const timelineOfDatabase = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** The last number of the log, and the timeline in which it was given. */
export async function endOfLog(db: Db): Promise<{ seq: number; timeline: string }> {
  const { rows } = await db.execute<{ seq: string; timeline: string }>(
    sql`select coalesce(max(seq), 0) as seq, ${timelineOfDatabase} as timeline from event_log`,
  );
  return { seq: Number(rows[0]!.seq), timeline: rows[0]!.timeline };
}

/** Whether the log still has every row after this one: days are dropped from the oldest on. */
export async function hasLogAfter(db: Db, seq: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from event_log where seq = ${seq} and written_on > current_date - ${logKeptDays}::int`);
  return rows.length > 0;
}

/**
 * The number up to which each consumer has heard. A consumer that is new begins where the slowest of the
 * others is: it is not to hear of the past. Where all are new, so is the log.
 */
export async function openCursors(
  connection: Connection,
  consumers: readonly string[],
): Promise<Map<string, number>> {
  await connection.query({
    text: `insert into event_cursors (consumer, seq)
      select consumer, coalesce((select min(seq) from event_cursors where consumer = any($1)), 0)
      from unnest($1::text[]) consumer on conflict (consumer) do nothing`,
    values: [consumers],
  });
  const { rows } = await connection.query<{ consumer: string; seq: string }>({
    text: 'select consumer, seq from event_cursors where consumer = any($1)',
    values: [consumers],
  });
  return new Map(rows.map(({ consumer, seq }) => [consumer, Number(seq)]));
}

/** Notes how far consumers have come; a cursor only moves forward. */
export async function saveCursors(
  connection: Connection,
  positions: ReadonlyMap<string, number>,
): Promise<void> {
  await connection.query({
    text: `update event_cursors set seq = position.seq
      from unnest($1::text[], $2::bigint[]) position (consumer, seq)
      where event_cursors.consumer = position.consumer and event_cursors.seq < position.seq`,
    values: [[...positions.keys()], [...positions.values()]],
  });
}

/** Where the slowest of some consumers is. */
const slowest = (consumers: readonly string[]): SQL =>
  sql`coalesce((select min(seq) from event_cursors where consumer = any(${sql.param([...consumers])}::text[])), 0)`;

/** How many rows some consumer has not heard, counted up to `most`. */
export async function unheardRows(db: Db, consumers: readonly string[], most: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      (select from event_log where seq is null limit ${most})
      union all (select from event_log where seq > ${slowest(consumers)} limit ${most})
      limit ${most}
    ) unheard`);
  return rows[0]?.count ?? 0;
}

/** When the oldest operation that some consumer has not heard happened, by the app's clock; null for none. */
export async function oldestUnheard(db: Db, consumers: readonly string[]): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select coalesce(
      (select items -> 0 ->> 'at' from event_log where seq > ${slowest(consumers)} order by seq limit 1),
      (select items -> 0 ->> 'at' from event_log where seq is null order by seq, id limit 1)
    ) as at`);
  const at = rows[0]?.at;
  return at === null || at === undefined ? null : new Date(at);
}

/** How far a consumer is behind: the rows that it has not heard, and when the oldest was written. */
export interface ConsumerLag {
  consumer: string;
  unheard: number;
  oldestAt: Date | null;
}

/**
 * The same for each consumer that has a cursor, counted up to `most` by the index of the log.
 * @param consumers null for all that ever had one
 */
export async function consumerLags(
  db: Db,
  consumers: readonly string[] | null,
  most: number,
): Promise<ConsumerLag[]> {
  const { rows } = await db.execute<{ consumer: string; unheard: number; at: string | null }>(sql`
    select mine.consumer, behind.count as unheard, behind.at from event_cursors as mine
    cross join lateral (
      select count(*)::int as count, min(ahead.at) as at from (
        (select items -> 0 ->> 'at' as at from event_log where seq > mine.seq order by seq limit ${most})
        union all
        (select items -> 0 ->> 'at' from event_log where seq is null order by seq, id limit ${most})
        limit ${most}
      ) ahead
    ) behind
    where ${consumers === null} or mine.consumer = any(${sql.param([...(consumers ?? [])])}::text[])`);
  return rows.map(({ consumer, unheard, at }) => ({
    consumer,
    unheard,
    oldestAt: at === null ? null : new Date(at),
  }));
}

/** Forgets all that the log says of some people. */
export async function dropFromLog(tx: Db, personIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from event_log where exists (
      select from jsonb_array_elements(items) item, unnest(${sql.param([...personIds])}::text[]) person
      where person in (item #>> '{payload,driverId}', item #>> '{payload,passengerId}',
        item #>> '{payload,authorId}', item #>> '{payload,userId}')
    )`);
}
