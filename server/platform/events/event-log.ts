import { z } from 'zod';
import { sql, type SQL } from 'drizzle-orm';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Db } from '../database/db.ts';
import type { StatementPart } from '../database/statement-parts.ts';

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
export interface LoggedOperation {
  txid: bigint;
  id: number;
  signals: readonly LoggedSignal[];
}

/** What has been committed since the last look, in order. */
export interface LogBatch {
  /** Every transaction with a lower id than this has ended: the next look begins here. */
  until: bigint;
  operations: readonly LoggedOperation[];
  /** Something is committed that comes after transactions that may still be under way. */
  isMoreCommitted: boolean;
}

/** Ids of rows leave so many places between them, one for each signal of a row (migration 0045). */
const idsPerRow = 256;
/** A look takes so many rows, and those that must be heard before one of them. */
const rowsPerLook = 1000;

const items = z.array(loggedSignal.omit({ id: true }));

/** Writes the signals of a transaction into the log: one row for each 256. */
export function appendingToLog(signals: readonly SignalDraft[]): SQL {
  const rows = Array.from({ length: Math.ceil(signals.length / idsPerRow) }, (_, row) =>
    JSON.stringify(signals.slice(row * idsPerRow, (row + 1) * idsPerRow)),
  );
  return sql`insert into event_log (items) select unnest(${sql.param(rows)}::jsonb[])`;
}

/**
 * Lets a connection that is kept for reading plan its looks by the log's index, in order: a plan stays while
 * the log grows, and a look must cost what it returns, however much lies before and behind it.
 */
export async function readByIndex(connection: Connection): Promise<void> {
  await connection.query({ text: 'set enable_seqscan = off' });
  await connection.query({ text: 'set enable_bitmapscan = off' });
}

/**
 * Reads what has been committed from a position on. Of two transactions that waited for each other the one
 * that was committed first comes first: the id of a row is drawn at the end of its transaction, while that
 * still holds its locks.
 * @param horizon a transaction id below which all have ended; that of the database's cluster if null
 */
export async function readLog(
  connection: Connection,
  from: bigint,
  horizon: bigint | null = null,
): Promise<LogBatch> {
  const { rows } = await connection.query<{
    until: string;
    more: boolean;
    id: string | null;
    txid: string;
    items: unknown;
  }>({
    name: 'read-event-log',
    // Where there is too much for one look, rows of later transactions are added that have a lower id than
    // one of the look: a transaction that began early may have waited for them. Whether more is committed is
    // asked once: asked beside the rows, it is evaluated for each of them.
    text: `with horizon as (
        select greatest($1::xid8, coalesce($2::xid8, pg_snapshot_xmin(pg_current_snapshot()))) as settled
      ), look as (
        select settled, least(settled, coalesce(
          (select txid from event_log where txid >= $1::xid8 order by txid offset ${rowsPerLook} limit 1), settled
        )) as until from horizon
      ), own as (
        select entry.id, entry.txid, entry.items from look
        join event_log as entry on entry.txid >= $1::xid8 and entry.txid < look.until
      ), found as (
        select * from own
        union all
        select entry.id, entry.txid, entry.items from look
        join event_log as entry on entry.txid >= look.until and entry.txid < look.settled
          and entry.id < (select max(id) from own)
      ), later as materialized (
        select (select txid from event_log where txid >= look.until order by txid limit 1) is not null as more
        from look
      )
      select look.until::text, later.more, found.id::text, found.txid::text, found.items
      from look cross join later left join found on true order by found.id`,
    values: [String(from), horizon === null ? null : String(horizon)],
  });
  const [first] = rows;
  return {
    until: BigInt(first!.until),
    isMoreCommitted: first!.more,
    operations: rows.flatMap(({ id, ...row }) => (id === null ? [] : [operationOf({ ...row, id })])),
  };
}

const operationOf = (row: { id: string; txid: string; items: unknown }): LoggedOperation => ({
  txid: BigInt(row.txid),
  id: Number(row.id),
  signals: items.parse(row.items).map((item, place) => ({ ...item, id: Number(row.id) + place })),
});

/**
 * A transaction id below which all transactions of this database have ended. Another database of the same
 * cluster may hold one open for hours, which the cluster's own horizon waits for.
 */
export async function horizonOfDatabase(connection: Connection): Promise<bigint> {
  const { rows } = await connection.query<{ horizon: string }>({
    name: 'event-log-horizon',
    // The list of connections shows the lower 32 bits of an id. One that the snapshot does not know yet
    // is higher than all that it does. Of other roles the list shows no ids: while one is there, such as that
    // of a migration, the cluster's own horizon is waited for.
    text: `with now as (
        select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
          pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest
      ), connections as (
        select backend_xid, not pg_has_role(usesysid, 'usage')
            and not pg_has_role('pg_read_all_stats', 'usage') as is_hidden
        from pg_stat_activity where datname = current_database() and usesysid is not null
      ), open as (
        select (next % 4294967296 - backend_xid::text::bigint + 4294967296) % 4294967296 as ago
        from now, connections where backend_xid is not null
      )
      select case when exists (select from connections where is_hidden) then oldest
        else next - coalesce((select max(ago) from open where ago < 2147483648), 0) end::text as horizon from now`,
    values: [],
  });
  return BigInt(rows[0]!.horizon);
}

/** Rows that listeners read again after a restore, by this many to one number. */
const rowsPerNumber = 500;

/**
 * Renumbers a log that another cluster wrote. A database from `pg_dump` has the transaction ids of the old
 * cluster in its log and its cursors, far ahead of its own, so that listeners would not read new rows for a
 * long time. All rows that a listener may not have read get the lowest ids; all listeners read them, some of
 * them again. Rows that this cluster has written since keep their numbers and come afterwards.
 * @returns whether the log was from another cluster
 */
export async function rebaseForeignLog(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ done: boolean }>({
    text: `with own as (
        select pg_snapshot_xmax(pg_current_snapshot()) as next
      ), foreign_log as (
        select (select txid from event_cursors order by txid limit 1) as heard from own
        where exists (select from event_cursors where txid > own.next)
      ), numbered as (
        select id, case when txid < heard then 1 else 3 + (row_number() over (order by txid, id) - 1) / ${rowsPerNumber} end as number
        from event_log, own, foreign_log where txid >= own.next
      ), rows_moved as (
        update event_log set txid = numbered.number::text::xid8 from numbered where event_log.id = numbered.id
      ), cursors_moved as (
        update event_cursors set txid = '3'::xid8 from foreign_log
      )
      select true as done from foreign_log`,
    values: [],
  });
  return rows[0]?.done === true;
}

/**
 * How far each consumer has come. One that is new begins where the slowest of the others is: it is not to
 * hear of the past. Where all are new, so is the log.
 */
export async function openCursors(
  connection: Connection,
  consumers: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await connection.query<{ consumer: string; txid: string }>({
    name: 'open-event-cursors',
    text: `with added as (
        insert into event_cursors (consumer, txid)
        select consumer, coalesce(
          (select txid from event_cursors where consumer = any($1) order by txid limit 1), '0'::xid8)
        from unnest($1::text[]) consumer
        on conflict (consumer) do nothing returning consumer, txid
      )
      select consumer, txid::text from added
      union all select consumer, txid::text from event_cursors where consumer = any($1)`,
    values: [consumers],
  });
  return new Map(rows.map(({ consumer, txid }) => [consumer, BigInt(txid)]));
}

/** Notes how far consumers have come; a cursor only moves forward. */
export async function saveCursors(
  connection: Connection,
  positions: ReadonlyMap<string, bigint>,
): Promise<void> {
  await connection.query({
    name: 'save-event-cursors',
    text: `update event_cursors as mine set txid = position.txid::xid8
      from unnest($1::text[], $2::text[]) position (consumer, txid)
      where mine.consumer = position.consumer and mine.txid < position.txid::xid8`,
    values: [[...positions.keys()], [...positions.values()].map(String)],
  });
}

/** The same for one consumer, as a part of the statement that writes what it has heard. */
export const movingCursor = (consumer: string, position: bigint): StatementPart => ({
  name: 'cursor',
  query: sql`update event_cursors set txid = ${String(position)}::xid8
    where consumer = ${consumer} and txid < ${String(position)}::xid8`,
});

/**
 * Writes signals of the transaction that a statement is, as one of its parts.
 * @param signals a query of `name`, `key`, `payload` and `n`, by which they are in order
 */
export const loggingRows = (part: string, at: Date, signals: SQL): StatementPart => ({
  name: part,
  query: sql`insert into event_log (items)
    select jsonb_agg(jsonb_build_object('name', said.name, 'key', said.key, 'at', ${at.toISOString()}::text,
      'payload', said.payload) order by said.place)
    from (select signal.*, row_number() over (order by signal.n) - 1 as place from (${signals}) signal) said
    group by said.place / ${sql.raw(String(idsPerRow))}`,
});

/** How many rows no consumer is past yet, counted up to `most`. */
export async function unheardRows(db: Db, consumers: readonly string[], most: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from event_log where txid >=
        coalesce((select txid from event_cursors
          where consumer = any(${sql.param([...consumers])}::text[]) order by txid limit 1), '0'::xid8)
      limit ${most}
    ) unheard`);
  return rows[0]?.count ?? 0;
}

/** When the oldest operation that some consumer has not read happened, by the app's clock; null for none. */
export async function oldestUnheard(db: Db, consumers: readonly string[]): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select items -> 0 ->> 'at' as at from event_log where txid >=
      coalesce((select txid from event_cursors
        where consumer = any(${sql.param([...consumers])}::text[]) order by txid limit 1), '0'::xid8)
    order by txid, id limit 1`);
  const at = rows[0]?.at;
  return at === null || at === undefined ? null : new Date(at);
}

/** How far a consumer is behind: the rows that it is not past yet, and when the oldest was written. */
export interface ConsumerLag {
  consumer: string;
  unheard: number;
  oldestAt: Date | null;
}

/**
 * The same for each consumer that has a cursor, counted up to `most` by the index of the log.
 * @param consumers null for all that ever had one, also in a former release
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
        select items -> 0 ->> 'at' as at from event_log where txid >= mine.txid order by txid, id limit ${most}
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
