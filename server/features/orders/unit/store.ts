import { getTableColumns, is, sql, SQL, type Placeholder, type SQLWrapper, type Table } from 'drizzle-orm';
import type { QueryResultRow } from 'pg';
import { namedStatement, runNamed, type Db, type WritePart } from '../../../platform/database/db.ts';
import { bookings, requests, rides, rideStops, waitlist } from '../../../schema/rides.ts';
import { blockedAmong } from '../../contacts/queries.ts';
import { licenseStatusOf } from '../../drivers/licenses/queries.ts';
import { peopleAsJson } from '../../identity/queries.ts';
import type { PersonRow } from '../../identity/service.ts';
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

/** Reads and writes the rows of one table as JSON, many at once. */
export interface RowsOfTable<Row> {
  fromJson(json: JsonRow): Row;
  /** The row as an insert makes it: with the defaults of the columns that are missing. */
  complete(values: Partial<Row>): Row;
  /** Inserts these rows. */
  inserting(rows: readonly Row[]): WritePart;
  /**
   * Sets some columns of rows, found by `id`; where rows have versions, only while that is still the one that
   * was read.
   */
  updating(keys: readonly string[], changes: readonly { row: Row; version?: number }[]): WritePart;
}

function rowsOfTable<Row extends object>(
  table: Table,
  { insert, update }: { insert: SQL; update: SQL },
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
  const updates = new Map<string, SQL>();
  /** The update of these columns: the same statement each time. */
  function updateOf(keys: readonly string[], isVersioned: boolean): SQL {
    const name = `${keys.join(' ')}${isVersioned ? ' versioned' : ''}`;
    const known = updates.get(name);
    if (known !== undefined) return known;
    const set = keys.map((key) => byKey.get(key)!);
    const wasVersion = isVersioned ? sql`, "wasVersion" int` : sql``;
    const statement = sql`${update} ${list(
      set,
      ({ key, name: column }) => sql`${sql.identifier(column)} = made.${sql.identifier(key)}`,
    )} from ${recordset([byKey.get('id')!, ...set], wasVersion)} where kept.id = made.id${
      isVersioned ? sql` and kept.version = made."wasVersion"` : sql``
    } returning 1`;
    updates.set(name, statement);
    return statement;
  }

  return {
    fromJson: (json) =>
      Object.fromEntries(
        columns.map(({ key, name, isInstant }) => {
          const value = json[name] ?? null;
          return [key, isInstant && value !== null ? new Date(value as string) : value];
        }),
      ) as Row,

    complete: (values) =>
      Object.fromEntries(
        columns.map((column) => {
          const given = (values as Readonly<Record<string, unknown>>)[column.key];
          if (given !== undefined) return [column.key, given];
          if (is(column.default, SQL)) throw new Error(`${column.name} has to be given`);
          return [column.key, column.default ?? null];
        }),
      ) as Row,

    inserting: (rows) => ({ statement: insertion, values: { rows: JSON.stringify(rows) } }),

    updating(keys, changes) {
      const isVersioned = changes.some(({ version }) => version !== undefined);
      const made = changes.map(({ row, version }) => ({
        id: (row as { id: string }).id,
        wasVersion: version,
        ...Object.fromEntries(keys.map((key) => [key, (row as Record<string, unknown>)[key]])),
      }));
      return {
        statement: updateOf(keys, isVersioned),
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
});
export const stopRows = rowsOfTable<StopRow>(rideStops, {
  insert: sql`insert into ride_stops`,
  update: sql`update ride_stops as kept set`,
});
export const waitRows = rowsOfTable<WaitRow>(waitlist, {
  insert: sql`insert into waitlist`,
  update: sql`update waitlist as kept set`,
});

/** What the function `lock_ride` answers (migration 0054), and who the people of these orders are. */
export interface LockedOrders {
  ride: JsonRow;
  requests: JsonRow[];
  bookings: JsonRow[];
  stops: JsonRow[];
  waiting: JsonRow[];
  spans: { orderId: string; personId: string; from: string; until: string }[];
  isChanging: boolean;
  isAnotherWayOpen: boolean;
}

/** A locked ride with its requests, and what is told of their people. */
export interface LockedRide {
  orders: LockedOrders | null;
  people: PersonRow[] | null;
  /** Passengers who have blocked the driver, or whom the driver has blocked. */
  blocked: string[] | null;
  /** Whether an open booking of the ride has a payment. */
  isPaid: boolean;
  /** Whether the owners of the ride and of the request that was named may see each other's. */
  areInSight: boolean;
}

const [rideId, beside, inSightOf] = ['rideId', 'beside', 'inSightOf'].map((name) =>
  sql.placeholder(name),
) as [Placeholder, Placeholder, Placeholder];

// The plans of what this transaction writes are kept by its connection while tables grow.
const lockingOf = (id: SQLWrapper, { held, inSight }: { held: SQL; inSight: SQL }) =>
  namedStatement(sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), held.orders,
    ${peopleAsJson(sql`held.people`, licenseStatusOf)} as people,
    ${blockedAmong(sql`held.people`, sql`held.people[1]`)} as blocked,
    ${isAnyPaid(sql`select id from bookings where ride_id = ${id} and ended_at is null`)} as "isPaid",
    ${inSight} as "areInSight"
  from ${held} as held`);
const locking = lockingOf(rideId, {
  held: sql`lock_ride(${rideId}, ${beside}::uuid[])`,
  inSight: sql`${inSightOf}::uuid is not null and ${areInSight(rideId, inSightOf)}`,
});
const lockingAll = lockingOf(sql`wanted.id`, {
  held: sql`unnest(${sql.placeholder('rideIds')}::uuid[]) as wanted (id), lateral lock_ride(wanted.id, '{}')`,
  inSight: sql`false`,
});

/**
 * Locks a ride and its requests, and reads them.
 * @param of.inSightOf a request of which it is asked whether its owner and the driver see each other's orders
 */
export async function lockOrders(
  tx: Db,
  of: { rideId: string; beside: readonly string[]; inSightOf: string | null },
): Promise<LockedRide> {
  return (await runNamed<LockedRide & QueryResultRow>(tx, locking(of)))[0]!;
}

/** The same for several rides, one after another, by one statement. */
export const lockAllOrders = (tx: Db, rideIds: readonly string[]): Promise<LockedRide[]> =>
  runNamed<LockedRide & QueryResultRow>(tx, lockingAll({ rideIds }));

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
  select take_order_place(made.id, ${owner}, tstzrange(made."from", made."to", '[)'),
      ${sql.placeholder('mostOpen')}::int, made.numbers) as place,
    ${peopleAsJson(sql`array[${owner}]::uuid[]`, licenseStatusOf)} as people
  from jsonb_to_recordset(${sql.placeholder('orders')}::jsonb)
    as made (id uuid, "from" timestamptz, "to" timestamptz, numbers text[])`);

/**
 * Takes a person's places for orders, one after another (migration 0051), and reads who they are.
 * @param of.mostOpen how many orders of theirs may be open with each; null where any number may.
 */
export async function takeOrderPlaces(
  tx: Db,
  {
    personId,
    orders,
    mostOpen,
  }: { personId: string; orders: readonly PlaceToTake[]; mostOpen: number | null },
): Promise<{ places: TakenPlace[]; people: PersonRow[] }> {
  const values = { personId, mostOpen, orders: JSON.stringify(orders) };
  const rows = await runNamed<{ place: TakenPlace; people: PersonRow[] }>(tx, takingPlaces(values));
  return { places: rows.map(({ place }) => place), people: rows[0]?.people ?? [] };
}

const isSame = (a: StopRow, b: StopRow): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Writes the stops that differ; the table refuses a leg with more people than seats. */
export function savingStops(
  rideId: string,
  { before, after }: { before: readonly StopRow[]; after: readonly StopRow[] },
): WritePart[] {
  const parts: WritePart[] = [];
  if (before.length > after.length)
    parts.push({ statement: droppingStops, values: { rideId, from: after.length } });
  const other = after.filter(({ position }) => {
    const known = before[position];
    return known === undefined || !isSame(known, after[position]!);
  });
  if (other.length === 0) return parts;
  parts.push({ ...stopRows.inserting(other), statement: replacingStops });
  return parts;
}

const droppingStops = sql`delete from ride_stops where ride_id = ${rideId} and position >= ${sql.placeholder('from')}::int`;
const replacingStops = sql`${stopRows.inserting([]).statement} on conflict (ride_id, position) do update set
  kind = excluded.kind, booking_id = excluded.booking_id, lon = excluded.lon, lat = excluded.lat, at = excluded.at,
  stands_ms = excluded.stands_ms, to_next_ms = excluded.to_next_ms, to_next_metres = excluded.to_next_metres,
  seats_taken = excluded.seats_taken, seats = excluded.seats`;

/** Takes these spans, or moves them; the database refuses one that overlaps another of its person. */
export const takingSpans = (spans: readonly Span[]): WritePart => ({
  statement: spansTaken,
  values: { spans: JSON.stringify(spans) },
});

const spansTaken = sql`
  insert into order_spans (order_id, person_id, during)
  select "orderId", "personId", tstzrange("from", "until", '[)')
  from jsonb_to_recordset(${sql.placeholder('spans')}::jsonb)
    as moved ("orderId" uuid, "personId" uuid, "from" timestamptz, "until" timestamptz)
  on conflict (order_id) do update set during = excluded.during`;

/** Frees the time of orders. */
export const freeingSpans = (orderIds: readonly string[]): WritePart => ({
  statement: spansFreed,
  values: { ids: [...orderIds] },
});

const spansFreed = sql`delete from order_spans where order_id = any(${sql.placeholder('ids')}::uuid[])`;

/** Takes places off waitlists. */
export const leavingWaitlist = (ids: readonly number[]): WritePart => ({
  statement: placesLeft,
  values: { ids: [...ids] },
});

const placesLeft = sql`delete from waitlist where id = any(${sql.placeholder('ids')}::bigint[])`;
