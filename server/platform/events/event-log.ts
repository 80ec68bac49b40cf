import { z } from 'zod';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Db, WritePart } from '../database/db.ts';
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
  /** What was asked besides; null where nothing was. */
  beside: boolean | null;
}

/** A question of yes or no that a look asks besides, as a column. */
export interface Beside {
  nameOf: (statement: string) => string;
  column: string;
}
const nothingBeside: Beside = { nameOf: (statement) => statement, column: 'null::boolean' };

/** Whether a job of the queue is due that no process has in its hands. */
export const besideDueJobs: Beside = {
  nameOf: (statement) => `${statement}-and-jobs`,
  column: '(select exists (select from graphile_worker.jobs where run_at <= now() and locked_at is null))',
};

/** Ids of rows leave so many places between them, one for each signal of a row. */
const idsPerRow = 256;
/** A look takes so many rows, and those that must be heard before one of them. */
const rowsPerLook = 1000;

const items = z.array(loggedSignal.omit({ id: true }));

/** The signals of a transaction as rows of the log: one for each 256. */
const rowsOf = (signals: readonly SignalDraft[]): string[] =>
  Array.from({ length: Math.ceil(signals.length / idsPerRow) }, (_, row) =>
    JSON.stringify(signals.slice(row * idsPerRow, (row + 1) * idsPerRow)),
  );

const appendingRows = (rows: SQLWrapper): SQL =>
  sql`insert into event_log (items) select unnest(${rows}::jsonb[])`;
const rowsAppended = appendingRows(sql.placeholder('rows'));

/** Writes signals into the log, as one part of the last statement of their transaction. */
export const loggingAtEnd = (signals: readonly SignalDraft[]): WritePart => ({
  statement: rowsAppended,
  values: { rows: rowsOf(signals) },
});

/** The same as a statement of its own. */
export const appendingToLog = (signals: readonly SignalDraft[]): SQL =>
  appendingRows(sql.param(rowsOf(signals)));

/**
 * Lets a connection that is kept for reading plan its looks by the log's index, in order: a plan stays while
 * the log grows, and a look must cost what it returns, however much lies before and behind it. It is made
 * once for all positions: planning a look takes longer than running it.
 */
export async function readByIndex(connection: Connection): Promise<void> {
  await connection.query({ text: 'set plan_cache_mode = force_generic_plan' });
  await connection.query({ text: 'set enable_seqscan = off' });
  await connection.query({ text: 'set enable_bitmapscan = off' });
}

/** A row of the log as a look finds it, or none beside where the look has come to. */
interface LookRow {
  beside: boolean | null;
  until: string;
  more: boolean;
  id: string | null;
  txid: string;
  items: unknown;
}

/**
 * The end of a statement that looks into the log.
 * @param from the position from which it reads
 * @param horizon a transaction id below which all have ended, or null
 */
const looking = (from: string, horizon: string): string =>
  // Where there is too much for one look, rows of later transactions are added that have a lower id than
  // one of the look: a transaction that began early may have waited for them. Whether more is committed is
  // asked once: asked beside the rows, it is evaluated for each of them.
  `horizon as (
      select greatest(${from}, coalesce(${horizon}, pg_snapshot_xmin(pg_current_snapshot()))) as settled
    ), look as (
      select settled, least(settled, coalesce(
        (select txid from event_log where txid >= ${from} order by txid offset ${rowsPerLook} limit 1), settled
      )) as until from horizon
    ), own as (
      select entry.id, entry.txid, entry.items from look
      join event_log as entry on entry.txid >= ${from} and entry.txid < look.until
    ), found as (
      select * from own
      union all
      select entry.id, entry.txid, entry.items from look
      join event_log as entry on entry.txid >= look.until and entry.txid < look.settled
        and entry.id < (select max(id) from own)
    ), later as materialized (
      select (select txid from event_log where txid >= look.until order by txid limit 1) is not null as more
      from look
    )`;
const lookColumns = 'look.until::text, later.more, found.id::text, found.txid::text, found.items';
const lookRows = 'look cross join later left join found on true order by found.id';

const batchOf = (rows: readonly LookRow[]): LogBatch => ({
  until: BigInt(rows[0]!.until),
  isMoreCommitted: rows[0]!.more,
  beside: rows[0]!.beside,
  operations: rows.flatMap(({ id, ...row }) => (id === null ? [] : [operationOf({ ...row, id })])),
});

/**
 * Reads what has been committed from a position on. Of two transactions that waited for each other the one
 * that was committed first comes first: the id of a row is drawn at the end of its transaction, while that
 * still holds its locks.
 * @param of.horizon a transaction id below which all have ended; that of the database's cluster if null
 * @param of.saving how far consumers have come, which the same statement notes
 * @param of.beside what the same statement asks besides
 */
export async function readLog(
  connection: Connection,
  from: bigint,
  {
    horizon = null,
    saving = new Map(),
    beside = nothingBeside,
  }: { horizon?: bigint | null; saving?: ReadonlyMap<string, bigint>; beside?: Beside } = {},
): Promise<LogBatch> {
  const values = [String(from), horizon === null ? null : String(horizon)];
  const look = `${looking('$1::xid8', '$2::xid8')}
    select ${beside.column} as beside, ${lookColumns} from ${lookRows}`;
  const { rows } = await connection.query<LookRow>(
    saving.size === 0
      ? { name: beside.nameOf('read-event-log'), text: `with ${look}`, values }
      : {
          name: beside.nameOf('save-cursors-and-read-event-log'),
          text: `with saved as (${savingCursors('$3', '$4')}), ${look}`,
          values: [...values, ...cursorColumns(saving)],
        },
  );
  return batchOf(rows);
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
 */
async function rebaseForeignLog(connection: Connection): Promise<void> {
  await connection.query({
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
      select from foreign_log`,
    values: [],
  });
}

/**
 * How far each consumer has come, and what has been committed from the slowest on. A consumer that is new
 * begins where the slowest of the others is: it is not to hear of the past. Where all are new, so is the log.
 */
export async function openLog(
  connection: Connection,
  consumers: readonly string[],
  beside: Beside = nothingBeside,
): Promise<{ cursors: Map<string, bigint>; batch: LogBatch }> {
  for (;;) {
    const { rows } = await connection.query<LookRow & { cursors: Record<string, string>; foreign: boolean }>({
      name: beside.nameOf('open-event-log'),
      text: `with given as (
          select txid from event_cursors where consumer = any($1) order by txid limit 1
        ), added as (
          insert into event_cursors (consumer, txid)
          select consumer, coalesce((select txid from given), '0'::xid8) from unnest($1::text[]) consumer
          on conflict (consumer) do nothing returning consumer, txid
        ), opened as (
          select consumer, txid from added
          union all select consumer, txid from event_cursors where consumer = any($1)
        ), start as (
          select coalesce(min(txid), '0'::xid8) as txid from opened
        ), ${looking('(select txid from start)', 'null::xid8')}
        select (select coalesce(jsonb_object_agg(consumer, txid::text), '{}') from opened) as cursors,
          exists (select from event_cursors where txid > pg_snapshot_xmax(pg_current_snapshot())) as foreign,
          ${beside.column} as beside, ${lookColumns}
        from ${lookRows}`,
      values: [consumers],
    });
    const { cursors, foreign } = rows[0]!;
    if (!foreign)
      return {
        cursors: new Map(Object.entries(cursors).map(([consumer, txid]) => [consumer, BigInt(txid)])),
        batch: batchOf(rows),
      };
    await rebaseForeignLog(connection);
  }
}

/** Notes how far consumers have come; a cursor only moves forward. */
export async function saveCursors(
  connection: Connection,
  positions: ReadonlyMap<string, bigint>,
): Promise<void> {
  await connection.query({
    name: 'save-event-cursors',
    text: savingCursors('$1', '$2'),
    values: cursorColumns(positions),
  });
}

const savingCursors = (consumers: string, positions: string): string =>
  `update event_cursors as mine set txid = position.txid::xid8
    from unnest(${consumers}::text[], ${positions}::text[]) position (consumer, txid)
    where mine.consumer = position.consumer and mine.txid < position.txid::xid8`;

const cursorColumns = (positions: ReadonlyMap<string, bigint>): string[][] => [
  [...positions.keys()],
  [...positions.values()].map(String),
];

/** The same for one consumer, as a part of the statement that writes what it has heard. */
export const movingCursor = (consumer: string, position: bigint): StatementPart => ({
  name: 'cursor',
  query: cursorMove,
  values: { 'cursor.consumer': consumer, 'cursor.position': String(position) },
});

const cursorMove = sql`update event_cursors set txid = ${sql.placeholder('cursor.position')}::xid8
  where consumer = ${sql.placeholder('cursor.consumer')} and txid < ${sql.placeholder('cursor.position')}::xid8`;

/**
 * Writes signals of the transaction that a statement is, as one of its parts.
 * @param signals a query of `name`, `key`, `payload` and `n`, by which they are in order
 */
export function loggingRows(name: string, signals: SQL): (at: Date) => StatementPart {
  const query = sql`insert into event_log (items)
    select json_agg(json_build_object('name', said.name, 'key', said.key,
      'at', ${sql.placeholder(`${name}.at`)}::text, 'payload', said.payload) order by said.place)::jsonb
    from (select signal.*, row_number() over (order by signal.n) - 1 as place from (${signals}) signal) said
    group by said.place / ${sql.raw(String(idsPerRow))}`;
  return (at) => ({ name, query, values: { [`${name}.at`]: at.toISOString() } });
}

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
