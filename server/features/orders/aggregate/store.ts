import { getTableColumns, getTableName, is, sql, SQL, type Table } from 'drizzle-orm';
import type { QueryResultRow } from 'pg';
import {
  AnotherWasFaster,
  namedStatement,
  runNamed,
  type Db,
  type NamedStatement,
} from '../../../platform/database/db.ts';
import { appendingRows } from '../../../platform/events/event-log.ts';
import { bookings, moveHistory, requests, rides, rideStops, waitlist } from '../../../schema/rides.ts';
import { blocksAmong } from '../../contacts/queries.ts';
import { riderFactsAsJson, type RiderFacts } from '../../identity/queries.ts';
import { isAnyPaid } from '../../payments/queries.ts';
import { areInSight } from '../audience/queries.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import type { Span } from './spans.ts';

export type StopRow = typeof rideStops.$inferSelect;
export type WaitRow = typeof waitlist.$inferSelect;

/** A row as PostgreSQL makes it of `to_jsonb`. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** The names of a table's columns on both sides. */
interface ColumnNames {
  key: string;
  name: string;
  type: string;
  isInstant: boolean;
  default: unknown;
}

const columnsOf = (table: Table): ColumnNames[] =>
  Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.name,
    type: column.getSQLType().replace('bigserial', 'bigint'),
    isInstant: column.dataType === 'date',
    default: column.default,
  }));

/** A write of which the values are JSON: a part of the statement that saves orders. */
interface JsonWrite {
  /** The same for the same text. */
  name: string;
  /** The text, for the SQL that is its JSON. */
  of: (json: SQL) => SQL;
}

/** A write with its values. */
export interface Write {
  write: JsonWrite;
  json: unknown;
  /**
   * The rows that it must change: where another transaction was faster, it changes fewer. Missing where any
   * number is right.
   */
  rows?: number;
}

/** Reads and writes the rows of one table as JSON, many at once. */
export interface RowsOfTable<Row> {
  fromJson(json: JsonRow): Row;
  /** The row as an insert makes it: with the defaults of the columns that are missing. */
  complete(values: Partial<Row>): Row;
  /** Inserts rows of JSON. */
  insertion: (json: SQL) => SQL;
  inserting(rows: readonly Row[]): Write;
  /**
   * Sets some columns of rows, found by `id`; of rows that are not locked themselves only while their version
   * is still the one that was read.
   */
  updating(keys: readonly string[], changes: readonly { row: Row; version?: number }[]): Write;
}

/** Makes a row of JSON, with null for each column that is missing there. */
const rowReader = (columns: readonly ColumnNames[]): ((json: JsonRow) => object) => {
  // Its copies have all columns from the start: rows of one shape are made and read fast.
  const empty: Record<string, unknown> = Object.fromEntries(columns.map(({ key }) => [key, null]));
  return (json) => {
    const row = { ...empty };
    for (const { key, name, isInstant } of columns) {
      const value = json[name];
      if (value != null) row[key] = isInstant ? new Date(value as string) : value;
    }
    return row;
  };
};

function rowsOfTable<Row extends object>(
  table: Table,
  { insert, update, isVersioned = false }: { insert: SQL; update: SQL; isVersioned?: boolean },
): RowsOfTable<Row> {
  const columns = columnsOf(table);
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const recordset = (json: SQL, of: readonly ColumnNames[], more: SQL = sql``): SQL => sql`
    jsonb_to_recordset(${json}) as made (${sql.join(
      of.map(({ key, type }) => sql`${sql.identifier(key)} ${sql.raw(type)}`),
      sql`, `,
    )}${more})`;
  const list = (of: readonly ColumnNames[], each: (column: ColumnNames) => SQL): SQL =>
    sql.join(of.map(each), sql`, `);
  const insertion = (json: SQL) => sql`
    ${insert} (${list(columns, ({ name }) => sql`${sql.identifier(name)}`)})
    select ${list(columns, ({ key }) => sql`made.${sql.identifier(key)}`)} from ${recordset(json, columns)}`;
  const name = getTableName(table);
  const updateOf = (keys: readonly string[]): JsonWrite => {
    const set = keys.map((key) => byKey.get(key)!);
    const wasVersion = isVersioned ? sql`, "wasVersion" int` : sql``;
    return {
      name: `update ${name} ${keys.join(' ')}`,
      of: (json) => sql`
        ${update} ${list(
          set,
          ({ key, name: column }) => sql`${sql.identifier(column)} = made.${sql.identifier(key)}`,
        )} from ${recordset(json, [byKey.get('id')!, ...set], wasVersion)} where kept.id = made.id${
          isVersioned ? sql` and kept.version = made."wasVersion"` : sql``
        }`,
    };
  };

  return {
    fromJson: rowReader(columns) as (json: JsonRow) => Row,

    complete: (values) =>
      Object.fromEntries(
        columns.map((column) => {
          const given = (values as Readonly<Record<string, unknown>>)[column.key];
          if (given !== undefined) return [column.key, given];
          if (is(column.default, SQL)) throw new Error(`${column.name} has to be given`);
          return [column.key, column.default ?? null];
        }),
      ) as Row,

    insertion,

    inserting: (rows) => ({ write: { name: `insert ${name}`, of: insertion }, json: rows }),

    updating(keys, changes) {
      const made = changes.map(({ row, version }) => ({
        id: (row as { id: string }).id,
        wasVersion: version,
        ...Object.fromEntries(keys.map((key) => [key, (row as Record<string, unknown>)[key]])),
      }));
      return { write: updateOf(keys), json: made, rows: changes.length };
    },
  };
}

export const rideRows = rowsOfTable<RideRow>(rides, {
  insert: sql`insert into rides`,
  update: sql`update rides as kept set`,
});
export const requestRows = rowsOfTable<RequestRow>(requests, {
  insert: sql`insert into requests`,
  update: sql`update requests as kept set`,
});
export const bookingRows = rowsOfTable<BookingRow>(bookings, {
  insert: sql`insert into bookings`,
  update: sql`update bookings as kept set`,
  isVersioned: true,
});
export const stopRows = rowsOfTable<StopRow>(rideStops, {
  insert: sql`insert into ride_stops`,
  update: sql`update ride_stops as kept set`,
});
export const waitRows = rowsOfTable<WaitRow>(waitlist, {
  insert: sql`insert into waitlist`,
  update: sql`update waitlist as kept set`,
});

/** The answer of the function `lock_and_read_orders`. */
interface ReadOrders {
  rides: JsonRow[];
  requests: JsonRow[];
  bookings: JsonRow[];
  stops: JsonRow[];
  waiting: JsonRow[];
  spans: { orderId: string; personId: string; from: string; until: string }[];
  changing: { rideId: string; isAnotherWay: boolean }[];
}

/** Orders as they are loaded. */
export interface LoadedOrders {
  rides: readonly RideRow[];
  requests: readonly RequestRow[];
  /** Of the requests, without asks on other rides that came to nothing. */
  bookings: readonly BookingRow[];
  stops: readonly StopRow[];
  waiting: readonly WaitRow[];
  spans: ReadOrders['spans'];
  /** The rides of which an open proposal is to be answered, and whether it is another route. */
  changing: ReadOrders['changing'];
}

/** Loaded rides with their requests, and data about their people, who are not locked. */
export interface LoadedRides {
  /** Null where there was none of the rides. */
  orders: LoadedOrders | null;
  people: RiderFacts[] | null;
  /** Pairs of these people of whom one has blocked the other. */
  blocks: [string, string][] | null;
  /** Rides of which an open booking has a payment. */
  paid: string[] | null;
}

/** Locked rides. */
interface LockedRides extends LoadedRides {
  /** Of each pair of `inSight` in its order, whether the owners of the two may see each other's. */
  areInSight: boolean[] | null;
}

/** The rows to lock, and the questions about them. */
export interface Locking {
  rideIds: readonly string[];
  /** Requests that are about to have a booking of one of the rides. */
  requestIds: readonly string[];
  inSight: readonly { rideId: string; requestId: string }[];
}

const rideIds = sql.placeholder('rideIds');
const requestIds = sql.placeholder('requestIds');
const seeing = sql.placeholder('seeing');
const seen = sql.placeholder('seen');

const isRidePaid = isAnyPaid(sql`select id from bookings where ride_id = locked.id and ended_at is null`);

const locking = namedStatement(sql`
  select held.orders,
    ${riderFactsAsJson(sql`held.people`)} as people, ${blocksAmong(sql`held.people`)} as blocks,
    (select json_agg(locked.id) from unnest(${rideIds}::uuid[]) as locked (id) where ${isRidePaid}) as paid,
    (select json_agg(${areInSight(sql`pair.ride_id`, sql`pair.request_id`)} order by pair.place)
      from unnest(${seeing}::uuid[], ${seen}::uuid[]) with ordinality as pair (ride_id, request_id, place))
      as "areInSight"
  from lock_and_read_orders(${rideIds}::uuid[], ${requestIds}::uuid[]) as held`);

/** Locks rides and their requests, and reads them. */
export async function lockOrders(
  tx: Db,
  { inSight, rideIds: ids, requestIds: also }: Locking,
): Promise<LockedRides> {
  const asking = locking({
    rideIds: ids,
    requestIds: also,
    seeing: inSight.map((pair) => pair.rideId),
    seen: inSight.map((pair) => pair.requestId),
  });
  type Answer = Omit<LockedRides, 'orders'> & { orders: ReadOrders | null };
  const [{ orders, ...told }] = (await runNamed<Answer & QueryResultRow>(tx, asking)) as [Answer];
  if (orders === null) return { ...told, orders };
  return {
    ...told,
    orders: {
      ...orders,
      rides: orders.rides.map((json) => rideRows.fromJson(json)),
      requests: orders.requests.map((json) => requestRows.fromJson(json)),
      bookings: orders.bookings.map((json) => bookingRows.fromJson(json)),
      stops: orders.stops.map((json) => stopRows.fromJson(json)),
      waiting: orders.waiting.map((json) => waitRows.fromJson(json)),
    },
  };
}

export async function lockPerson(tx: Db, personId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`orders:${personId}`}, 0))`);
}

/** An order of a person that is to be published, and its time. */
export interface PlaceToTake {
  id: string;
  from: Date;
  to: Date;
  /** Order numbers, of which it gets the first that is free. */
  numbers: readonly string[];
}

export interface TakenPlace {
  outcome: 'taken' | 'tooMany' | 'overlap' | 'noNumber';
  number: string;
}

const owner = sql.placeholder('personId');
const takingPlaces = namedStatement(sql`
  select take_order_slot(made.id, ${owner}, tstzrange(made."from", made."to", '[)'),
      ${sql.placeholder('mostOpen')}::int, made.numbers) as place
  from jsonb_to_recordset(${sql.placeholder('orders')}::jsonb)
    as made (id uuid, "from" timestamptz, "to" timestamptz, numbers text[])`);

/**
 * Takes a person's places for orders, one after another.
 * @param of.mostOpen how many orders of theirs may be open with each; null where any number may.
 */
export async function takeOrderPlaces(
  tx: Db,
  {
    personId,
    orders,
    mostOpen,
  }: { personId: string; orders: readonly PlaceToTake[]; mostOpen: number | null },
): Promise<TakenPlace[]> {
  const values = { personId, mostOpen, orders: JSON.stringify(orders) };
  const rows = await runNamed<{ place: TakenPlace }>(tx, takingPlaces(values));
  return rows.map(({ place }) => place);
}

const isSame = (a: StopRow, b: StopRow): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A route as it was, and as it is now. */
export interface ChangedRoute {
  rideId: string;
  before: readonly StopRow[];
  after: readonly StopRow[];
}

/** The stops that differ; the table refuses a leg with more people than seats. */
export const changedStops = ({ before, after }: ChangedRoute): StopRow[] =>
  after.filter(({ position }) => {
    const known = before[position];
    return known === undefined || !isSame(known, after[position]!);
  });

/** Writes stops over those at their positions. */
export const savingStops = (stops: readonly StopRow[]): Write => ({ write: stopsSaved, json: stops });

const stopsSaved: JsonWrite = {
  name: 'save stops',
  of: (json) => sql`${stopRows.insertion(json)} on conflict (ride_id, position) do update set
    kind = excluded.kind, booking_id = excluded.booking_id, lon = excluded.lon, lat = excluded.lat, at = excluded.at,
    stands_ms = excluded.stands_ms, to_next_ms = excluded.to_next_ms, to_next_metres = excluded.to_next_metres,
    seats_taken = excluded.seats_taken, seats = excluded.seats`,
};

/** Drops the stops behind the end of routes. */
export const droppingStops = (routes: readonly ChangedRoute[]): Write => ({
  write: stopsDropped,
  json: routes.map(({ rideId, after }) => ({ rideId, stops: after.length })),
});

const stopsDropped: JsonWrite = {
  name: 'drop stops',
  of: (
    json,
  ) => sql`delete from ride_stops using jsonb_to_recordset(${json}) as route ("rideId" uuid, stops int)
    where ride_stops.ride_id = route."rideId" and ride_stops.position >= route.stops`,
};

/** Takes these spans, or moves them; the database refuses one that overlaps another of its person. */
export const takingSpans = (spans: readonly Span[]): Write => ({ write: spansTaken, json: spans });

const spansTaken: JsonWrite = {
  name: 'take spans',
  of: (json) => sql`insert into order_spans (order_id, person_id, during)
    select "orderId", "personId", tstzrange("from", "until", '[)') from jsonb_to_recordset(${json})
      as moved ("orderId" uuid, "personId" uuid, "from" timestamptz, "until" timestamptz)
    on conflict (order_id) do update set during = excluded.during`,
};

/** Frees the time of orders. */
export const freeingSpans = (orderIds: readonly string[]): Write => ({
  write: spansFreed,
  json: orderIds.map((id) => ({ id })),
});

const spansFreed: JsonWrite = {
  name: 'free spans',
  of: (json) => sql`delete from order_spans using jsonb_to_recordset(${json}) as freed (id uuid)
    where order_spans.order_id = freed.id`,
};

/** A place on a waitlist that begins. */
export type NewWait = Omit<WaitRow, 'id'>;

/** Puts requests at the end of waitlists; does nothing where they are on them already. */
export const enteringWaitlist = (places: readonly NewWait[]): Write => ({
  write: waitlistEntered,
  json: places,
});

const waitlistEntered: JsonWrite = {
  name: 'enter waitlist',
  of: (json) => sql`insert into waitlist (ride_id, request_id, passenger_id, created_at)
    select "rideId", "requestId", "passengerId", "createdAt" from jsonb_to_recordset(${json})
      as made ("rideId" uuid, "requestId" uuid, "passengerId" uuid, "createdAt" timestamptz)
    on conflict do nothing`,
};

/** Takes places off waitlists. */
export const leavingWaitlist = (places: readonly NewWait[]): Write => ({ write: waitlistLeft, json: places });

const waitlistLeft: JsonWrite = {
  name: 'leave waitlist',
  of: (json) => sql`delete from waitlist
    using jsonb_to_recordset(${json}) as place ("rideId" uuid, "requestId" uuid)
    where waitlist.ride_id = place."rideId" and waitlist.request_id = place."requestId"`,
};

export type HistoryLine = Omit<typeof moveHistory.$inferInsert, 'id'>;

/** Adds entries to the history of orders. */
export const insertingHistory = (lines: readonly HistoryLine[]): Write => ({
  write: historyInserted,
  json: lines,
});

const historyInserted: JsonWrite = {
  name: 'insert history',
  of: (json) => sql`insert into move_history
      (thing, thing_id, ride_id, request_id, move, from_state, to_state, actor, actor_id, note, at)
    select thing, "thingId", "rideId", "requestId", move, "fromState", "toState", actor, "actorId", note, at
    from jsonb_to_recordset(${json}) as line (thing text, "thingId" uuid, "rideId" uuid, "requestId" uuid,
      move text, "fromState" text, "toState" text, actor text, "actorId" uuid, note text, at timestamptz)`,
};

/** Makes the scheduler check the open proposals of rides, where they have one. */
export const wakingChanges = (wakes: readonly (readonly [rideId: string, at: Date])[]): Write => ({
  write: changesWoken,
  json: wakes.map(([rideId, at]) => ({ rideId, at })),
});

const changesWoken: JsonWrite = {
  name: 'wake changes',
  of: (json) => sql`update change_proposals set next_at = wake.at
    from jsonb_to_recordset(${json}) as wake ("rideId" uuid, at timestamptz)
    where ride_id = wake."rideId" and state = 'open'`,
};

/** Writes rows of the event log. */
export const writingLog = (rows: readonly unknown[]): Write => ({ write: logWritten, json: rows });

const logWritten: JsonWrite = { name: 'write log', of: appendingRows };

const savings = new Map<string, NamedStatement>();

/** The statement that does these writes, and counts what each has changed: one for the same writes. */
function savingOf(writes: readonly JsonWrite[]): NamedStatement {
  const key = writes.map(({ name }) => name).join('; ');
  const known = savings.get(key);
  if (known !== undefined) return known;
  const names = writes.map((_, index) => sql.raw(`write_${index}`));
  const parts = writes.map(
    ({ of }, index) =>
      sql`${names[index]} as (${of(sql`(select given.json -> ${sql.raw(String(index))} from given)`)} returning 1)`,
  );
  const counts = names.map((name) => sql`(select count(*)::int from ${name})`);
  const statement = namedStatement(sql`
    with given as materialized (select ${sql.placeholder('json')}::jsonb as json), ${sql.join(parts, sql`, `)}
    select array[${sql.join(counts, sql`, `)}] as changed`);
  savings.set(key, statement);
  return statement;
}

/**
 * Does these writes by one statement. They see the database as it was before: none may need what another one
 * of them has removed.
 * @throws AnotherWasFaster where another transaction has changed a row since it was read
 */
export async function saveOrders(tx: Db, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  const saving = savingOf(writes.map(({ write }) => write));
  const json = JSON.stringify(writes.map((each) => each.json));
  const [saved] = await runNamed<{ changed: number[] }>(tx, saving({ json }));
  if (writes.some(({ rows }, index) => rows !== undefined && rows !== saved!.changed[index]))
    throw new AnotherWasFaster();
}
