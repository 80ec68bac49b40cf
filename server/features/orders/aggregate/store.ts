import { getTableColumns, is, sql, SQL, type Table } from 'drizzle-orm';
import type { QueryResultRow } from 'pg';
import { namedStatement, runNamed, type Db, type NamedStatement } from '../../../platform/database/db.ts';
import { bookings, moveHistory, requests, rides, rideStops, waitlist } from '../../../schema/rides.ts';
import { blocksAmong } from '../../contacts/queries.ts';
import { riderFactsAsJson, type RiderFacts } from '../../identity/queries.ts';
import { isAnyPaid } from '../../payments/queries.ts';
import { areInSight } from '../audience/queries.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';

/** What an order takes of its person's time: from its first instant to just before its last. */
export interface Span {
  orderId: string;
  personId: string;
  from: Date;
  until: Date;
}

export type StopRow = typeof rideStops.$inferSelect;
export type WaitRow = typeof waitlist.$inferSelect;

/** A row as PostgreSQL makes it of `to_jsonb`. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** What the columns of a table are called on both sides. */
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

/** A writing statement with a prepared plan, and its values. */
export interface Write {
  statement: NamedStatement;
  values: Readonly<Record<string, unknown>>;
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
  /** Inserts the rows of the placeholder `rows`. */
  insertion: SQL;
  /** Inserts these rows. */
  inserting(rows: readonly Row[]): Write;
  /**
   * Sets some columns of rows, found by `id`; of rows that are not locked themselves only while their version
   * is still the one that was read.
   */
  updating(keys: readonly string[], changes: readonly { row: Row; version?: number }[]): Write;
}

/** What makes a row of JSON, with null for each column that is missing there. */
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
  const recordset = (of: readonly ColumnNames[], more: SQL = sql``): SQL => sql`
    jsonb_to_recordset(${sql.placeholder('rows')}::jsonb) as made (${sql.join(
      of.map(({ key, type }) => sql`${sql.identifier(key)} ${sql.raw(type)}`),
      sql`, `,
    )}${more})`;
  const list = (of: readonly ColumnNames[], each: (column: ColumnNames) => SQL): SQL =>
    sql.join(of.map(each), sql`, `);
  const insertion = sql`${insert} (${list(columns, ({ name }) => sql`${sql.identifier(name)}`)})
    select ${list(columns, ({ key }) => sql`made.${sql.identifier(key)}`)} from ${recordset(columns)}`;
  const insertAll = namedStatement(insertion);
  const updates = new Map<string, NamedStatement>();
  /** The update of these columns: the same statement each time. */
  function updateOf(keys: readonly string[]): NamedStatement {
    const name = keys.join(' ');
    const known = updates.get(name);
    if (known !== undefined) return known;
    const set = keys.map((key) => byKey.get(key)!);
    const wasVersion = isVersioned ? sql`, "wasVersion" int` : sql``;
    const statement = namedStatement(
      sql`${update} ${list(
        set,
        ({ key, name: column }) => sql`${sql.identifier(column)} = made.${sql.identifier(key)}`,
      )} from ${recordset([byKey.get('id')!, ...set], wasVersion)} where kept.id = made.id${
        isVersioned ? sql` and kept.version = made."wasVersion"` : sql``
      }`,
    );
    updates.set(name, statement);
    return statement;
  }

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

    inserting: (rows) => ({ statement: insertAll, values: { rows: JSON.stringify(rows) } }),

    updating(keys, changes) {
      const made = changes.map(({ row, version }) => ({
        id: (row as { id: string }).id,
        wasVersion: version,
        ...Object.fromEntries(keys.map((key) => [key, (row as Record<string, unknown>)[key]])),
      }));
      return {
        statement: updateOf(keys),
        values: { rows: JSON.stringify(made) },
        rows: changes.length,
      };
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

/** What the function `lock_and_read_orders` answers. */
interface ReadOrders {
  rides: JsonRow[];
  requests: JsonRow[];
  bookings: JsonRow[];
  stops: JsonRow[];
  waiting: JsonRow[];
  spans: { orderId: string; personId: string; from: string; until: string }[];
  changing: { rideId: string; isAnotherWay: boolean }[];
}

/** Orders that are locked. */
export interface LockedOrders {
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

/** Related data returned with the locks, itself not locked. */
interface LockedBeside {
  people: RiderFacts[] | null;
  /** Pairs of these people of whom one has blocked the other. */
  blocks: [string, string][] | null;
  /** Rides of which an open booking has a payment. */
  paid: string[] | null;
  /** Of each pair of `inSight` in its order, whether the owners of the two may see each other's. */
  areInSight: boolean[] | null;
}

/** Locked rides with their requests, and data about their people. */
export interface LockedRides extends LockedBeside {
  /** Null where none of the rides was locked. */
  orders: LockedOrders | null;
}

/** What is locked, and asked of it. */
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

// The connection reuses the plans of this transaction's writes while tables grow.
const locking = namedStatement(sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), held.orders,
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
  type Answer = LockedBeside & { orders: ReadOrders | null };
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
export const savingStops = (stops: readonly StopRow[]): Write => ({
  ...stopRows.inserting(stops),
  statement: replacingStops,
});

/** Drops the stops behind the end of routes. */
export const droppingStops = (routes: readonly ChangedRoute[]): Write => ({
  statement: stopsDropped,
  values: { rideIds: routes.map((route) => route.rideId), ends: routes.map(({ after }) => after.length) },
});

const stopsDropped =
  namedStatement(sql`delete from ride_stops using unnest(${rideIds}::uuid[], ${sql.placeholder('ends')}::int[])
  as route (ride_id, ends) where ride_stops.ride_id = route.ride_id and ride_stops.position >= route.ends`);
const replacingStops = namedStatement(sql`${stopRows.insertion} on conflict (ride_id, position) do update set
  kind = excluded.kind, booking_id = excluded.booking_id, lon = excluded.lon, lat = excluded.lat, at = excluded.at,
  stands_ms = excluded.stands_ms, to_next_ms = excluded.to_next_ms, to_next_metres = excluded.to_next_metres,
  seats_taken = excluded.seats_taken, seats = excluded.seats`);

/** Takes these spans, or moves them; the database refuses one that overlaps another of its person. */
export const takingSpans = (spans: readonly Span[]): Write => ({
  statement: spansTaken,
  values: { spans: JSON.stringify(spans) },
});

const spansTaken = namedStatement(sql`
  insert into order_spans (order_id, person_id, during)
  select "orderId", "personId", tstzrange("from", "until", '[)')
  from jsonb_to_recordset(${sql.placeholder('spans')}::jsonb)
    as moved ("orderId" uuid, "personId" uuid, "from" timestamptz, "until" timestamptz)
  on conflict (order_id) do update set during = excluded.during`);

/** Frees the time of orders. */
export const freeingSpans = (orderIds: readonly string[]): Write => ({
  statement: spansFreed,
  values: { ids: [...orderIds] },
});

const spansFreed = namedStatement(
  sql`delete from order_spans where order_id = any(${sql.placeholder('ids')}::uuid[])`,
);

/** A place on a waitlist that begins. */
export type NewWait = Omit<WaitRow, 'id'>;

/** Puts requests at the end of waitlists; does nothing where they are on them already. */
export const enteringWaitlist = (places: readonly NewWait[]): Write => ({
  statement: placesTaken,
  values: { places: JSON.stringify(places) },
});

const placesTaken = namedStatement(sql`
  insert into waitlist (ride_id, request_id, passenger_id, created_at)
  select "rideId", "requestId", "passengerId", "createdAt"
  from jsonb_to_recordset(${sql.placeholder('places')}::jsonb)
    as made ("rideId" uuid, "requestId" uuid, "passengerId" uuid, "createdAt" timestamptz)
  on conflict do nothing`);

/** Takes places off waitlists. */
export const leavingWaitlist = (places: readonly NewWait[]): Write => ({
  statement: placesLeft,
  values: {
    rideIds: places.map((place) => place.rideId),
    requestIds: places.map((place) => place.requestId),
  },
});

const placesLeft =
  namedStatement(sql`delete from waitlist using unnest(${rideIds}::uuid[], ${sql.placeholder('requestIds')}::uuid[])
  as place (ride_id, request_id) where waitlist.ride_id = place.ride_id and waitlist.request_id = place.request_id`);

export type HistoryLine = Omit<typeof moveHistory.$inferInsert, 'id'>;

/** Adds entries to the history of orders. */
export const insertingHistory = (lines: readonly HistoryLine[]): Write => ({
  statement: historyInserted,
  values: { lines: JSON.stringify(lines) },
});

const historyInserted = namedStatement(sql`
  insert into move_history (thing, thing_id, ride_id, request_id, move, from_state, to_state, actor, actor_id, note, at)
  select thing, "thingId", "rideId", "requestId", move, "fromState", "toState", actor, "actorId", note, at
  from jsonb_to_recordset(${sql.placeholder('lines')}::jsonb) as line (thing text, "thingId" uuid, "rideId" uuid,
    "requestId" uuid, move text, "fromState" text, "toState" text, actor text, "actorId" uuid, note text,
    at timestamptz)`);

/** Makes the scheduler check the open proposals of rides, where they have one. */
export const wakingChanges = (wakes: readonly (readonly [rideId: string, at: Date])[]): Write => ({
  statement: changesWoken,
  values: { rideIds: wakes.map(([rideId]) => rideId), at: wakes[0]![1].toISOString() },
});

const changesWoken = namedStatement(sql`
  update change_proposals set next_at = ${sql.placeholder('at')}::timestamptz
  where ride_id = any(${rideIds}::uuid[]) and state = 'open'`);
